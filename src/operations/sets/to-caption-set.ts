import type { CaptionSet } from "#contract/sets.ts";
import { warnOfCaptions } from "../captions/check-captions.ts";

/** Returns a caption set in wire format, with warnings about what its captions cannot show. */
export function toCaptionSet(row: Omit<CaptionSet, "warnings">): CaptionSet {
  return { ...row, warnings: warnOfCaptions(row.captions) };
}
