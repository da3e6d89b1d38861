/** Hosts whose files one GET request returns. */
import { ClipmillError } from "../errors.ts";
import type { SourceLink } from "./link-host.ts";
import { revisionOf, totalBytesOf } from "./ranges.ts";
import type { ByteRange, SourceAccess, SourceAnswer, SourceFacts, SourceHost } from "./source-host.ts";

/** Returns a response with the bytes. Requests a range of `first` only of the same content. */
type RequestFile = (
  link: SourceLink,
  access: SourceAccess,
  range?: ByteRange,
  first?: SourceAnswer,
) => Promise<SourceAnswer>;

/** Describes a file by its first byte, because many servers refuse HEAD or answer it differently. */
export function downloadDirectly(
  requestFile: RequestFile,
  nameOf: (link: SourceLink, answer: SourceAnswer) => string,
): Pick<SourceHost, "describe" | "open"> {
  return {
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

/** Returns the metadata in the headers of a response with all or a part of a file. */
export function factsOf(name: string, answer: SourceAnswer): SourceFacts {
  const type = answer.headers["content-type"]?.split(";")[0]?.trim();
  return {
    name,
    mimeType: type || "application/octet-stream",
    sizeBytes: totalBytesOf(answer),
    revision: revisionOf(answer),
  };
}

/** Returns true for a page instead of a file. */
export function isPage({ headers }: SourceAnswer): boolean {
  return /^text\/html\b/i.test(headers["content-type"] ?? "");
}

/** Returns true for the response to a request for the first byte of an empty file. */
export function isEmpty({ status, headers }: SourceAnswer): boolean {
  return status === 416 && headers["content-range"]?.trim() === "bytes */0";
}

export function emptyFile(): ClipmillError {
  return new ClipmillError("not_a_video", "This file is empty.");
}

/** Returns the last part of a path, decoded; null for a path without one. */
export function lastPartOf(pathname: string): string | null {
  const last = pathname.split("/").findLast((part) => part !== "");
  if (last === undefined) return null;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
