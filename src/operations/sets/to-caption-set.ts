import type { CaptionSet } from "#contract/sets.ts";
import { captionWarnings } from "../captions/check-captions.ts";

/** Adds warnings about characters that captions cannot show. */
export function toCaptionSet(row: Omit<CaptionSet, "warnings">): CaptionSet {
  return { ...row, warnings: captionWarnings(row.captions) };
}
