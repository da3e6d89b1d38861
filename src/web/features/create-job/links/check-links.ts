import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import type { SourceLink } from "#contract/sources/link-host.ts";
import { isDocumentLink, splitLinks } from "#contract/sources/links.ts";

/** Lines count from 1. */
export type CheckedLinks = {
  /** In order, as typed except for an added https://; includes duplicates. */
  valid: string[];
  typed: string[];
  entries: { link: string; line: number; isValid: boolean }[];
  problems: { line: number; reason: string }[];
  /** Valid links to a document instead of media. */
  documents: { line: number }[];
};

/** `parse` returns null for an invalid link; `explain` then returns the reason. */
export function checkLinks(
  text: string,
  parse: (link: string) => SourceLink | null,
  explain: (link: string) => string,
): CheckedLinks {
  const checked: CheckedLinks = {
    valid: [],
    typed: [],
    entries: [],
    problems: [],
    documents: [],
  };
  for (const { link, line } of linesOf(text)) {
    const parsed = link.length <= JOB_LIMITS.linkCharacters ? parse(link) : null;
    checked.typed.push(link);
    checked.entries.push({ link, line, isValid: parsed !== null });
    if (!parsed) {
      checked.problems.push({ line, reason: explain(link) });
      continue;
    }
    checked.valid.push(link);
    if (isDocumentLink(link)) checked.documents.push({ line });
  }
  return checked;
}

function linesOf(text: string): { link: string; line: number }[] {
  return text.split("\n").flatMap((content, index) => splitLinks(content).map((link) => ({ link, line: index + 1 })));
}
