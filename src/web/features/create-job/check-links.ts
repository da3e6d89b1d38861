/** Reads the text of a links field line by line: which links are valid, which are not and why, which are there twice. */
import { JOB_LIMITS } from "#contract/jobs.ts";
import { linkKey, splitLinks, type AudioLink } from "#contract/links.ts";

/** Lines count from 1, as the operator sees them. */
export type CheckedLinks = {
  /** The valid links in their order, as typed; repeated ones stay. */
  valid: string[];
  /** Everything typed, valid or not. */
  typed: string[];
  problems: { line: number; reason: string }[];
  repeats: { line: number; firstLine: number }[];
};

/** `parse` says what a link names, or null; `explain` says why it names nothing. */
export function checkLinks(
  text: string,
  parse: (link: string) => AudioLink | null,
  explain: (link: string) => string,
): CheckedLinks {
  const checked: CheckedLinks = { valid: [], typed: [], problems: [], repeats: [] };
  const firstLines = new Map<string, number>();
  for (const { link, line } of linesOf(text)) {
    const parsed = link.length <= JOB_LIMITS.linkCharacters ? parse(link) : null;
    checked.typed.push(link);
    if (!parsed) {
      checked.problems.push({ line, reason: explain(link) });
      continue;
    }
    checked.valid.push(link);
    const key = linkKey(parsed);
    const firstLine = firstLines.get(key);
    if (firstLine === undefined) firstLines.set(key, line);
    else checked.repeats.push({ line, firstLine });
  }
  return checked;
}

function linesOf(text: string): { link: string; line: number }[] {
  return text.split("\n").flatMap((content, index) => splitLinks(content).map((link) => ({ link, line: index + 1 })));
}
