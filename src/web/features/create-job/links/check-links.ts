/** Checks a links field line by line: valid links, invalid ones with reasons, duplicates and documents. */
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import { completeLink, isDocumentLink, linkKey, splitLinks, type AudioLink } from "#contract/sources/links.ts";

/** Lines count from 1, as the operator sees them. */
export type CheckedLinks = {
  /** The valid links in order, as typed except for a missing https://; duplicates stay. */
  valid: string[];
  /** Everything typed, valid or not. */
  typed: string[];
  problems: { line: number; reason: string }[];
  repeats: { line: number; firstLine: number }[];
  /** All text except duplicates. */
  unrepeated: string[];
  /** Lines with a valid link to a document instead of a video or audio file. */
  documents: { line: number }[];
};

/** `parse` says what a link names, or null; `explain` says why it names nothing. */
export function checkLinks(
  text: string,
  parse: (link: string) => AudioLink | null,
  explain: (link: string) => string,
): CheckedLinks {
  const checked: CheckedLinks = { valid: [], typed: [], problems: [], repeats: [], unrepeated: [], documents: [] };
  const firstLines = new Map<string, number>();
  for (const { link, line } of linesOf(text)) {
    const parsed = link.length <= JOB_LIMITS.linkCharacters ? parse(link) : null;
    checked.typed.push(link);
    if (!parsed) {
      checked.problems.push({ line, reason: explain(link) });
      checked.unrepeated.push(link);
      continue;
    }
    checked.valid.push(link);
    if (isDocumentLink(link)) checked.documents.push({ line });
    const key = linkKey(parsed);
    const firstLine = firstLines.get(key);
    if (firstLine !== undefined) {
      checked.repeats.push({ line, firstLine });
      continue;
    }
    firstLines.set(key, line);
    checked.unrepeated.push(link);
  }
  return checked;
}

function linesOf(text: string): { link: string; line: number }[] {
  return text
    .split("\n")
    .flatMap((content, index) => splitLinks(content).map((link) => ({ link: completeLink(link), line: index + 1 })));
}
