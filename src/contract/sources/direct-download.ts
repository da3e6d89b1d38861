/** Hosts whose files one GET request returns. */
import { ClipmillError } from "../errors.ts";
import type { SourceLink } from "./link-host.ts";
import { revisionOf, totalBytesOf } from "./ranges.ts";
import type { ByteRange, SourceAccess, SourceResponse, SourceFacts, SourceHost } from "./source-host.ts";

/** `range` is sent only for the content of `first`. */
type RequestFile = (
  link: SourceLink,
  access: SourceAccess,
  range?: ByteRange,
  first?: SourceResponse,
) => Promise<SourceResponse>;

/**
 * Describes a file by its first byte: many servers reject HEAD or respond to it differently. Mark calls as pure: screens
 * then load only a host's links.
 */
export function downloadDirectly(
  host: Pick<SourceHost, "links" | "services">,
  requestFile: RequestFile,
  nameOf: (link: SourceLink, response: SourceResponse) => string,
): SourceHost {
  return {
    ...host,
    async describe(link, access) {
      const response = await requestFile(link, access, { start: 0, end: 0 });
      response.body.destroy();
      const facts = factsOf(nameOf(link, response), response);
      if (facts.sizeBytes === 0) throw emptyFile();
      return facts;
    },
    async open(link, access, { range }) {
      const response = await requestFile(link, access, range);
      return {
        facts: factsOf(nameOf(link, response), response),
        response,
        reopen: (other) => requestFile(link, access, other, response),
      };
    },
  };
}

export function factsOf(name: string, response: SourceResponse): SourceFacts {
  const type = response.headers["content-type"]?.split(";")[0]?.trim();
  return {
    name,
    mimeType: type || "application/octet-stream",
    sizeBytes: totalBytesOf(response),
    revision: revisionOf(response),
  };
}

/** Matches uploaded HTML too, which is no video either. */
export function isPage({ headers }: SourceResponse): boolean {
  return /^text\/html\b/i.test(headers["content-type"] ?? "");
}

/** An empty file's response to a request for the first byte. */
export function isEmpty({ status, headers }: SourceResponse): boolean {
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
