import type { Kysely } from "kysely";
import { audioSetSchema, captionSetSchema } from "#contract/sets.ts";
import type { Tables } from "#database/tables.ts";
import { parseInput } from "../parse-input.ts";

/** Changes what is given of some caption sets. Throws ClipmillError "invalid" for a name or captions left empty. */
export async function changeCaptionSets(db: Kysely<Tables>, ids: string[], body: unknown): Promise<void> {
  const changes = parseInput(captionSetSchema.partial(), body);
  await db.updateTable("caption_sets").set(changes).where("id", "in", ids).execute();
}

/** Changes what is given of some audio sets. Throws ClipmillError "invalid" for a name or links left empty. */
export async function changeAudioSets(db: Kysely<Tables>, ids: string[], body: unknown): Promise<void> {
  const changes = parseInput(audioSetSchema.partial(), body);
  await db.updateTable("audio_sets").set(changes).where("id", "in", ids).execute();
}
