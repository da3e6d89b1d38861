import { type AudioSet, audioSetSchema, type CaptionSet, captionSetSchema } from "#contract/sets.ts";
import { type Changing, writeAudit } from "../audit/write-audit.ts";
import { captionWarnings } from "../captions/check-captions.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";

/** Throws ClipmillError "invalid" for an empty name or no captions. */
export async function changeCaptionSets({ trx, actor }: Changing, ids: string[], body: unknown): Promise<void> {
  const changes = parseInput(captionSetSchema.partial(), body);
  await trx.updateTable("caption_sets").set(changes).where("id", "in", ids).execute();
  await writeAudit(trx, actor, { action: "caption_sets.change", subjects: ids });
}

/** Throws ClipmillError "invalid" for an empty name or no links. */
export async function changeAudioSets({ trx, actor }: Changing, ids: string[], body: unknown): Promise<void> {
  const changes = parseInput(audioSetSchema.partial(), body);
  await trx.updateTable("audio_sets").set(changes).where("id", "in", ids).execute();
  await writeAudit(trx, actor, { action: "audio_sets.change", subjects: ids });
}

/** Throws ClipmillError "invalid" without a name or captions. */
export async function addCaptionSet({ trx, actor }: Changing, body: unknown): Promise<CaptionSet> {
  const set = parseInput(captionSetSchema, body);
  const added = await trx.insertInto("caption_sets").values(set).returningAll().executeTakeFirstOrThrow();
  await writeAudit(trx, actor, { action: "caption_sets.add", subjects: [added.id] });
  return toCaptionSet(added);
}

/** Throws ClipmillError "invalid" without a name or links. */
export async function addAudioSet({ trx, actor }: Changing, body: unknown): Promise<AudioSet> {
  const set = parseInput(audioSetSchema, body);
  const added = await trx.insertInto("audio_sets").values(set).returningAll().executeTakeFirstOrThrow();
  await writeAudit(trx, actor, { action: "audio_sets.add", subjects: [added.id] });
  return added;
}

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
