/** RFC 9110, section 14. */
import type { ByteRange, SourceResponse } from "./source-host.ts";

export function rangeHeaders(range: ByteRange | undefined): Record<string, string> {
  return range ? { range: `bytes=${range.start}-${range.end ?? ""}` } : {};
}

/** Limits a range to the content of an earlier response. If-Range allows no weak tags. */
export function ifUnchanged(first: SourceResponse | undefined): Record<string, string> {
  const etag = first?.headers.etag;
  return etag?.startsWith('"') ? { "if-range": etag } : {};
}

/** Returns the file's total bytes, from a full or partial response; null if not reported. */
export function totalBytesOf({ status, headers, contentLength }: SourceResponse): number | null {
  if (status !== 206) return contentLength;
  const total = Number(/^bytes \d+-\d+\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1] ?? Number.NaN);
  return Number.isSafeInteger(total) ? total : null;
}

/** NaN for a 206 without a range. */
export function startOf({ status, headers }: SourceResponse): number {
  return status === 206 ? Number(/^bytes (\d+)-/.exec(headers["content-range"] ?? "")?.[1]) : 0;
}

/**
 * Changes with the content: strong ETag or date, with the size. Null without both, because equal sizes do not prove
 * equal content.
 */
export function revisionOf(response: SourceResponse): string | null {
  const { etag, "last-modified": changed } = response.headers;
  // Some hosts do not quote tags; weak ones start with W/.
  const version = etag !== undefined && !etag.startsWith("W/") ? etag : changed;
  return version === undefined ? null : `${version} ${totalBytesOf(response)}`;
}
