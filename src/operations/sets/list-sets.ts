import type { AudioSet, CaptionSet } from "#contract/sets.ts";
import type { Context } from "../context.ts";

/** All caption sets, newest first. */
export function listCaptionSets(context: Pick<Context, "db">): Promise<CaptionSet[]> {
  return context.db
    .selectFrom("caption_sets")
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** All audio sets, newest first. */
export function listAudioSets(context: Pick<Context, "db">): Promise<AudioSet[]> {
  return context.db.selectFrom("audio_sets").selectAll().orderBy("created_at", "desc").orderBy("id", "desc").execute();
}
