/** Byte ranges of HTTP (RFC 9110, section 14). */
import type { ByteRange, SourceAnswer } from "./source-host.ts";

/** Returns the header that requests a range; {} for the whole file. */
export function rangeHeaders(range: ByteRange | undefined): Record<string, string> {
  return range ? { range: `bytes=${range.start}-${range.end ?? ""}` } : {};
}

/** Returns the header that requests a range only of the content of an earlier response. If-Range allows no weak tags. */
export function ifUnchanged(first: SourceAnswer | undefined): Record<string, string> {
  const etag = first?.headers.etag;
  return etag?.startsWith('"') ? { "if-range": etag } : {};
}

/** Returns the size of the whole file in bytes, of a response with all or a range of it; null if it is not reported. */
export function totalBytesOf({ status, headers, contentLength }: SourceAnswer): number | null {
  if (status !== 206) return contentLength;
  const total = Number(/^bytes \d+-\d+\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1] ?? Number.NaN);
  return Number.isSafeInteger(total) ? total : null;
}

/** Returns the offset of a response's first byte; NaN for a 206 that does not say. */
export function startOf({ status, headers }: SourceAnswer): number {
  return status === 206 ? Number(/^bytes (\d+)-/.exec(headers["content-range"] ?? "")?.[1]) : 0;
}

/**
 * Returns a value that changes with a response's content: its strong ETag or its date, with the size. Null without
 * both: an equal size does not prove equal content.
 */
export function revisionOf(answer: SourceAnswer): string | null {
  const { etag, "last-modified": changed } = answer.headers;
  // Some hosts do not quote their tags; weak ones start with W/.
  const version = etag !== undefined && !etag.startsWith("W/") ? etag : changed;
  return version === undefined ? null : `${version} ${totalBytesOf(answer)}`;
}
