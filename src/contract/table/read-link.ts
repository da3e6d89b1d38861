import { JOB_LIMITS } from "../jobs/job-limits.ts";
import type { AcceptedSources } from "../sources/accepted-sources.ts";
import { explainAudioLink, explainVideoLink } from "../sources/explain-media-link.ts";
import { completeLink, parseAudioLink, parseFolderLink, parseLink, parseVideoLink } from "../sources/links.ts";

/** `message` explains, with the remedy, why the cell has no value. */
export type ReadCell = { value: unknown } | { message: string };

export function readVideoLink(text: string, accepted: AcceptedSources): ReadCell {
  const link = completeLink(text.trim());
  if (link.length <= JOB_LIMITS.linkCharacters && parseVideoLink(link, accepted)) return { value: link };
  if (parseFolderLink(link, accepted)) {
    return { message: "This link is a folder, not a video. Replace it with a row for each of its videos." };
  }
  return { message: `Replace this link: ${explainVideoLink(link)}.` };
}

export function readAudioLink(text: string, accepted: AcceptedSources): ReadCell {
  const link = completeLink(text.trim());
  if (link.length <= JOB_LIMITS.linkCharacters && parseAudioLink(link, accepted)) return { value: link };
  return { message: `Replace this link: ${explainAudioLink(link)}.` };
}

export function isLibraryLink(text: string): boolean {
  return parseLink(text)?.host === "library";
}
