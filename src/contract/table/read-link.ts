import { JOB_LIMITS } from "../jobs/job-limits.ts";
import type { AcceptedSources } from "../sources/accepted-sources.ts";
import { explainAudioLink, explainVideoLink } from "../sources/explain-media-link.ts";
import { parseAudioLink, parseFolderLink, parseLink, parseVideoLink } from "../sources/links.ts";
import { linksIn } from "../sources/links-in-text.ts";

/** `message` explains, with the remedy, why the cell has no value. */
export type ReadCell = { value: unknown } | { message: string };

/** `text` is not empty. */
export function readVideoLink(text: string, accepted: AcceptedSources): ReadCell {
  const [link = "", ...others] = linksIn(text);
  if (others.length > 0) {
    return { message: `This cell has ${others.length + 1} links. Use one row for each video.` };
  }
  if (link.length <= JOB_LIMITS.linkCharacters && parseVideoLink(link, accepted)) return { value: link };
  if (parseFolderLink(link, accepted)) {
    return { message: "This link is a folder, not a video. Replace it with a row for each of its videos." };
  }
  return { message: `Replace this link: ${explainVideoLink(link)}.` };
}

export function readAudioLink(link: string, accepted: AcceptedSources): ReadCell {
  if (link.length <= JOB_LIMITS.linkCharacters && parseAudioLink(link, accepted)) return { value: link };
  return { message: `Replace this link: ${explainAudioLink(link)}.` };
}

export function isLibraryLink(text: string): boolean {
  return parseLink(text)?.host === "library";
}
