import type { AudioSet, CaptionSet } from "#contract/sets.ts";
import type { Context } from "../context.ts";
import { captionWarnings } from "../captions/check-captions.ts";

export async function listCaptionSets(context: Pick<Context, "db">): Promise<CaptionSet[]> {
  const rows = await context.db
    .selectFrom("caption_sets")
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(toCaptionSet);
}

export function listAudioSets(context: Pick<Context, "db">): Promise<AudioSet[]> {
  return context.db.selectFrom("audio_sets").selectAll().orderBy("created_at", "desc").orderBy("id", "desc").execute();
}

export function toCaptionSet(row: Omit<CaptionSet, "warnings">): CaptionSet {
  return { ...row, warnings: captionWarnings(row.captions) };
}
