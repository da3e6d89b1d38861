import type { CaptionSet } from "#contract/sets.ts";
import { warnOfCaptions } from "../captions/check-captions.ts";

/** A caption set as it goes over the wire: with what its captions would be drawn without. */
export function toCaptionSet(row: Omit<CaptionSet, "warnings">): CaptionSet {
  return { ...row, warnings: warnOfCaptions(row.captions) };
}
