import type { Kysely } from "kysely";
import { type AudioSet, audioSetSchema } from "#contract/sets.ts";
import type { Tables } from "#database/tables.ts";
import { parseInput } from "../parse-input.ts";

/** Saves an audio set. Throws ClipmillError "invalid" without a name or audio links. */
export function addAudioSet(db: Kysely<Tables>, body: unknown): Promise<AudioSet> {
  const set = parseInput(audioSetSchema, body);
  return db.insertInto("audio_sets").values(set).returningAll().executeTakeFirstOrThrow();
}
