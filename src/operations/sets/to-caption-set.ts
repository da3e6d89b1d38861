import type { CaptionSet } from "#contract/sets.ts";
import { warnOfCaptions } from "../captions/check-captions.ts";

/** Adds warnings about characters that captions cannot show. */
export function toCaptionSet(row: Omit<CaptionSet, "warnings">): CaptionSet {
  return { ...row, warnings: warnOfCaptions(row.captions) };
}
