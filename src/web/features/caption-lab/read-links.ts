import { type AcceptedSources, nameAcceptedVideo } from "#contract/sources/accepted-sources.ts";
import { parseVideoLink, splitLinks } from "#contract/sources/links.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";

export type ReadLinks = { valid: number; bad: { line: number; text: string }[]; accepted: AcceptedSources };

export function readLinks(text: string, accepted: AcceptedSources): ReadLinks {
  const lines = text
    .split("\n")
    .flatMap((content, i) => splitLinks(content).map((link) => ({ line: i + 1, text: link })));
  const bad = lines.filter((line) => parseVideoLink(line.text, accepted) === null);
  return { valid: lines.length - bad.length, bad, accepted };
}

/** Returns one sentence, or null if all links are valid. */
export function describeBadLinks({ bad, accepted }: ReadLinks): string | null {
  if (bad.length === 0) return null;
  const [first] = bad;
  const { one, several } = nameAcceptedVideo(accepted);
  if (bad.length === 1) return `Line ${first!.line} is not a link to ${one} and will be skipped.`;
  return `${pluralize(bad.length, "line")} are not links to ${several} and will be skipped. The first is line ${first!.line}.`;
}
