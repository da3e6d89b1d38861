import { createHash } from "node:crypto";
import type { SlowLine } from "./slow-line.ts";
import type { IncomingMessage, ServerResponse } from "node:http";

export type TwinBehavior =
  /** Supports ranges, ETag and Content-Disposition. */
  | { kind: "normal" }
  /** The public download redirects to the sign-in page or returns it (`page`). */
  | { kind: "notShared"; as?: "redirect" | "page" }
  /** Shared, with downloads disabled by the owner. */
  | { kind: "notDownloadable" }
  | { kind: "quotaExceeded" }
  /** The public download first returns a confirmation form. */
  | { kind: "virusScanPage" }
  /** Returns 404 without this key. */
  | { kind: "resourceKey"; resourceKey: string }
  | { kind: "notFound" }
  /** For the first `times` requests; null omits Retry-After. */
  | { kind: "rateLimited"; times: number; retryAfterSeconds: number | null }
  /** For the first `times` requests. */
  | { kind: "outOfOrder"; times: number }
  | { kind: "slowDrip"; bytesPerSecond: number }
  /** Announces 1,000 bytes too many, then cuts the connection, every time. */
  | { kind: "wrongLength" }
  /** Cuts the first download in the middle. It can be resumed, unless `ignoresRanges`. */
  | { kind: "truncateOnce"; ignoresRanges?: boolean }
  /** Like truncateOnce, but resumes with other content. */
  | { kind: "changesWhenResumed"; bytes: Buffer }
  /** Redirects the download to `to`, or else to another path of the twin. */
  | { kind: "redirect"; to?: string }
  /** Sends the first half, and the rest after `release(id)`. */
  | { kind: "gated" };

export type KeptFile = {
  id: string;
  name: string | null;
  mimeType: string;
  bytes: Buffer;
  behaviour: TwinBehavior;
  received: number;
  gate: PromiseWithResolvers<void>;
  /** Shared by all downloads of the twin. */
  line: SlowLine | null;
};

const DRIP_MILLISECONDS = 50;
const ONE_RANGE = /^bytes=(\d+)-(\d*)$/;

/**
 * Counts the request in `received`. The caller handles access, quotas and redirects; their kinds are sent like
 * "normal".
 */
export function sendMedia(file: KeptFile, request: IncomingMessage, response: ServerResponse): void {
  file.received += 1;
  const isFirst = file.received === 1;
  const { behaviour } = file;
  const bytes = behaviour.kind === "changesWhenResumed" && !isFirst ? behaviour.bytes : file.bytes;
  const total = bytes.length + (behaviour.kind === "wrongLength" ? 1000 : 0);
  const etag = `"${md5Of(bytes)}"`;
  const ignoresRanges = behaviour.kind === "truncateOnce" && behaviour.ignoresRanges === true;
  const range = ignoresRanges ? null : readRange(request, etag, total);
  if (range === "unsatisfiable") {
    response.writeHead(416, { "content-range": `bytes */${total}` }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: total - 1 };
  response.writeHead(range ? 206 : 200, {
    "content-type": file.mimeType,
    "content-length": String(end - start + 1),
    ...(file.name !== null && { "content-disposition": dispositionOf(file.name) }),
    "accept-ranges": "bytes",
    etag,
    ...(range ? { "content-range": `bytes ${start}-${end}/${total}` } : {}),
  });
  const body = bytes.subarray(start, end + 1);
  const half = body.subarray(0, Math.floor(body.length / 2));
  if (behaviour.kind === "slowDrip") drip(response, body, behaviour.bytesPerSecond);
  else if (behaviour.kind === "wrongLength") cutAfter(response, body);
  else if (behaviour.kind === "truncateOnce" && isFirst) cutAfter(response, half);
  else if (behaviour.kind === "changesWhenResumed" && isFirst) cutAfter(response, half);
  else if (behaviour.kind === "gated") {
    response.write(half);
    void file.gate.promise.then(() => response.end(body.subarray(half.length)));
  } else if (file.line) file.line.send(response, body);
  else response.end(body);
}

/** Large files take tens of milliseconds. */
const checksums = new WeakMap<Buffer, string>();

export function md5Of(bytes: Buffer): string {
  const known = checksums.get(bytes) ?? createHash("md5").update(bytes).digest("hex");
  checksums.set(bytes, known);
  return known;
}

function readRange(
  request: IncomingMessage,
  etag: string,
  total: number,
): { start: number; end: number } | "unsatisfiable" | null {
  const found = ONE_RANGE.exec(request.headers.range ?? "");
  const condition = request.headers["if-range"];
  if (!found || (condition !== undefined && condition !== etag)) return null;
  const start = Number(found[1]);
  const end = found[2] ? Math.min(Number(found[2]), total - 1) : total - 1;
  return start < total && start <= end ? { start, end } : "unsatisfiable";
}

/** Returns a header with an ASCII name and the real one in RFC 5987's form, like Google's. */
function dispositionOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}

function cutAfter(response: ServerResponse, bytes: Buffer): void {
  if (bytes.length === 0) response.flushHeaders();
  response.write(bytes, () => response.destroy());
}

function drip(response: ServerResponse, bytes: Buffer, bytesPerSecond: number): void {
  const step = Math.max(1, Math.round((bytesPerSecond * DRIP_MILLISECONDS) / 1000));
  let sent = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + step));
    sent += step;
    if (sent < bytes.length) return;
    clearInterval(timer);
    response.end();
  }, DRIP_MILLISECONDS);
  response.on("close", () => clearInterval(timer));
}
