/** Hosts whose files one GET request returns. */
import { ClipmillError } from "../errors.ts";
import type { SourceLink } from "./link-host.ts";
import { revisionOf, totalBytesOf } from "./ranges.ts";
import type { ByteRange, SourceAccess, SourceAnswer, SourceFacts, SourceHost } from "./source-host.ts";

/** `range` is sent only for the content of `first`. */
type RequestFile = (
  link: SourceLink,
  access: SourceAccess,
  range?: ByteRange,
  first?: SourceAnswer,
) => Promise<SourceAnswer>;

/**
 * Describes a file by its first byte: many servers refuse HEAD or answer it differently. Mark calls as pure: screens
 * then load only a host's links.
 */
export function downloadDirectly(
  host: Pick<SourceHost, "links" | "services">,
  requestFile: RequestFile,
  nameOf: (link: SourceLink, answer: SourceAnswer) => string,
): SourceHost {
  return {
    ...host,
    async describe(link, access) {
      const answer = await requestFile(link, access, { start: 0, end: 0 });
      answer.body.destroy();
      const facts = factsOf(nameOf(link, answer), answer);
      if (facts.sizeBytes === 0) throw emptyFile();
      return facts;
    },
    async open(link, access, { range }) {
      const answer = await requestFile(link, access, range);
      return {
        facts: factsOf(nameOf(link, answer), answer),
        answer,
        reopen: (other) => requestFile(link, access, other, answer),
      };
    },
  };
}

export function factsOf(name: string, answer: SourceAnswer): SourceFacts {
  const type = answer.headers["content-type"]?.split(";")[0]?.trim();
  return {
    name,
    mimeType: type || "application/octet-stream",
    sizeBytes: totalBytesOf(answer),
    revision: revisionOf(answer),
  };
}

/** Matches uploaded HTML too, which is no video either. */
export function isPage({ headers }: SourceAnswer): boolean {
  return /^text\/html\b/i.test(headers["content-type"] ?? "");
}

/** An empty file's response to a request for the first byte. */
export function isEmpty({ status, headers }: SourceAnswer): boolean {
  return status === 416 && headers["content-range"]?.trim() === "bytes */0";
}

export function emptyFile(): ClipmillError {
  return new ClipmillError("not_a_video", "This file is empty.");
}

/** Decoded; null without one. */
export function lastPartOf(pathname: string): string | null {
  const last = pathname.split("/").findLast((part) => part !== "");
  if (last === undefined) return null;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
