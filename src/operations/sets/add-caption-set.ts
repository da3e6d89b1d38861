import { type CaptionSet, captionSetSchema } from "#contract/sets.ts";
import { toCaptionSet } from "./to-caption-set.ts";
import type { Changing } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import { parseInput } from "../parse-input.ts";

/** Saves a caption set. Throws ClipmillError "invalid" without a name or captions. */
export async function addCaptionSet({ trx, actor }: Changing, body: unknown): Promise<CaptionSet> {
  const set = parseInput(captionSetSchema, body);
  const added = await trx.insertInto("caption_sets").values(set).returningAll().executeTakeFirstOrThrow();
  await writeAudit(trx, actor, { action: "caption_sets.add", subjects: [added.id] });
  return toCaptionSet(added);
}
