import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import type { SourceLink } from "#contract/sources/link-host.ts";
import { isDocumentLink, linkKey, splitLinks } from "#contract/sources/links.ts";
import { rememberLast } from "../draft/remember-last.ts";

/** Lines count from 1. */
export type CheckedLinks = {
  /** In order, as typed except for an added https://; includes duplicates. */
  valid: string[];
  typed: string[];
  /** `key`: the same for every spelling of a link; null for an invalid one. */
  entries: { link: string; line: number; isValid: boolean; key: string | null }[];
  problems: { line: number; reason: string }[];
  /** Valid links to a document instead of media. */
  documents: { line: number }[];
};

type ReadLink = { link: string; key: string | null; reason: string; isDocument: boolean };

/** Returns a function that reads only the lines that its last text did not have. */
export function linkChecker(
  /** Returns null for an invalid link; `explain` then returns the reason. */
  parse: (link: string, accepted: AcceptedSources) => SourceLink | null,
  explain: (link: string) => string,
): (text: string, accepted: AcceptedSources) => CheckedLinks {
  const linesFor = rememberLast((_accepted: AcceptedSources) => ({ known: new Map<string, ReadLink[]>() }));
  return rememberLast((text, accepted) => {
    const lines = linesFor(accepted);
    const before = lines.known;
    lines.known = new Map();
    const checked: CheckedLinks = { valid: [], typed: [], entries: [], problems: [], documents: [] };
    for (const [index, content] of text.split("\n").entries()) {
      const links =
        lines.known.get(content) ?? before.get(content) ?? splitLinks(content).map((link) => readLink(link, accepted));
      lines.known.set(content, links);
      for (const read of links) add(checked, read, index + 1);
    }
    return checked;
  });

  function readLink(link: string, accepted: AcceptedSources): ReadLink {
    const parsed = link.length <= JOB_LIMITS.linkCharacters ? parse(link, accepted) : null;
    if (!parsed) return { link, key: null, reason: explain(link), isDocument: false };
    return { link, key: linkKey(parsed), reason: "", isDocument: isDocumentLink(link) };
  }
}

function add(checked: CheckedLinks, { link, key, reason, isDocument }: ReadLink, line: number): void {
  const isValid = key !== null;
  checked.typed.push(link);
  checked.entries.push({ link, line, isValid, key });
  if (isValid) checked.valid.push(link);
  else checked.problems.push({ line, reason });
  if (isDocument) checked.documents.push({ line });
}
