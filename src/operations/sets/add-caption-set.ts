import type { Kysely } from "kysely";
import { type CaptionSet, captionSetSchema } from "#contract/sets.ts";
import type { Tables } from "#database/tables.ts";
import { toCaptionSet } from "./to-caption-set.ts";
import { parseInput } from "../parse-input.ts";

/** Saves a caption set. Throws ClipmillError "invalid" without a name or captions. */
export async function addCaptionSet(db: Kysely<Tables>, body: unknown): Promise<CaptionSet> {
  const set = parseInput(captionSetSchema, body);
  return toCaptionSet(await db.insertInto("caption_sets").values(set).returningAll().executeTakeFirstOrThrow());
}
