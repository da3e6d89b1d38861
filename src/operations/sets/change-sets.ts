import { audioSetSchema, captionSetSchema } from "#contract/sets.ts";
import type { Changing } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
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
