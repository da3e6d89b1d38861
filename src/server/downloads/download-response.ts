import { ReadableStream as NodeStream } from "node:stream/web";
import type { Context } from "hono";
import type { Download } from "#operations/downloads/link-signer.ts";
import type { ByteRange } from "#storage/storage.ts";
import type { ServerEnv } from "../server-context.ts";

export function respondWithDownload(
  c: Context<ServerEnv>,
  download: Download,
  options: { isAttachment: boolean; cacheControl: string },
): Response {
  const { etag, sizeBytes } = download;
  c.header("Accept-Ranges", "bytes");
  c.header("ETag", etag);
  c.header("Cache-Control", options.cacheControl);
  if (c.req.header("if-none-match") === etag) return c.body(null, 304);
  // A range of a changed file would not match the client's other parts.
  const isSameFile = [undefined, etag].includes(c.req.header("if-range"));
  const range = isSameFile ? parseRange(c.req.header("range"), sizeBytes) : null;
  if (range === "outside") {
    c.header("Content-Range", `bytes */${sizeBytes}`);
    return c.json({ error: "The requested range is outside the file." }, 416);
  }
  const sent = range ?? { start: 0, end: sizeBytes - 1 };
  c.header("Content-Type", download.type);
  c.header("Content-Length", String(sent.end - sent.start + 1));
  if (range) c.header("Content-Range", `bytes ${range.start}-${range.end}/${sizeBytes}`);
  if (options.isAttachment) c.header("Content-Disposition", attachment(download.fileName));
  c.status(range ? 206 : 200);
  if (c.req.method === "HEAD" || sizeBytes === 0) return c.body(null);
  return c.body(toStream(download.read(sent)));
}

/** Applies back-pressure; stops reading when the client disconnects. */
export function toStream(pieces: AsyncIterable<Uint8Array>): ReadableStream {
  return NodeStream.from(pieces) as unknown as ReadableStream;
}

/** RFC 6266: in ASCII for old clients, and in full. */
export function attachment(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/**
 * Returns null for the entire file (no header, several ranges or an unsupported one), "outside" if the range has no
 * byte of it.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | null | "outside" {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  if (first === "") {
    const start = Math.max(0, sizeBytes - Number(last));
    return start < sizeBytes ? { start, end: sizeBytes - 1 } : "outside";
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < start) return null;
  return start < sizeBytes ? { start, end } : "outside";
}
