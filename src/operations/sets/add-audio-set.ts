import { type AudioSet, audioSetSchema } from "#contract/sets.ts";
import type { Changing } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import { parseInput } from "../parse-input.ts";

/** Saves an audio set. Throws ClipmillError "invalid" without a name or audio links. */
export async function addAudioSet({ trx, actor }: Changing, body: unknown): Promise<AudioSet> {
  const set = parseInput(audioSetSchema, body);
  const added = await trx.insertInto("audio_sets").values(set).returningAll().executeTakeFirstOrThrow();
  await writeAudit(trx, actor, { action: "audio_sets.add", subjects: [added.id] });
  return added;
}
