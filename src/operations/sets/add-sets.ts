import { type CaptionSet, captionSetSchema, type AudioSet, audioSetSchema } from "#contract/sets.ts";
import { toCaptionSet } from "./list-sets.ts";
import type { Changing } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import { parseInput } from "../parse-input.ts";

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
