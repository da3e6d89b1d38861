import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { type KeptFile, sendMedia, type TwinBehavior } from "./google-drive/google-drive-twin-media.ts";

type OwnBehavior =
  /** Ignores ranges. `isChunked` omits the length. */
  | { kind: "noRanges"; isChunked?: boolean }
  /** Starts every range one byte later than requested. */
  | { kind: "wrongRange" }
  /** Compresses the file, whatever encodings are accepted (nginx's gzip_static always). */
  | { kind: "compressed" }
  /** A page with status 200: a login, a virus warning or an application that serves every path. */
  | { kind: "page" }
  /** Any status with a short page, for the first `times` requests. */
  | { kind: "status"; status: number; headers?: Record<string, string>; times?: number }
  | { kind: "garbage" }
  | { kind: "silent" }
  /** Closes the connection instead of responding. */
  | { kind: "cut" }
  | { kind: "redirect"; to: string };

type MediaBehavior = Extract<
  TwinBehavior,
  { kind: "normal" | "slowDrip" | "wrongLength" | "truncateOnce" | "changesWhenResumed" | "gated" }
>;

type WebBehavior = OwnBehavior | MediaBehavior;

type WebFile = {
  bytes?: Buffer;
  mimeType?: string;
  /** Sent as Content-Disposition; absent by default. */
  disposition?: string;
  behaviour?: WebBehavior;
};

export type WebTwin = {
  url: string;
  /** For ALLOW_PRIVATE_SOURCES. */
  authority: string;
  /** Replaces a file at the same path. Returns the address. */
  add(path: string, file: WebFile): string;
  requests: { path: string; headers: http.IncomingHttpHeaders }[];
  close(): Promise<void>;
};

export async function startWebTwin(): Promise<WebTwin> {
  const files = new Map<string, WebFile & { kept: KeptFile }>();
  const requests: WebTwin["requests"] = [];
  const server = http.createServer((request, response) => {
    const path = request.url ?? "/";
    requests.push({ path, headers: request.headers });
    const file = files.get(path);
    if (!file) response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not Found</h1>");
    else send(file, request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${authority}`;
  return {
    url,
    authority,
    requests,
    add(path, file) {
      const { bytes = Buffer.alloc(0), mimeType = "video/mp4", behaviour = { kind: "normal" } } = file;
      const media = isMedia(behaviour) ? behaviour : ({ kind: "normal" } as const);
      const gate = Promise.withResolvers<void>();
      // The request for metadata does not count.
      const kept = { id: path, name: null, mimeType, bytes, behaviour: media, received: -1, gate, line: null };
      files.set(path, { ...file, kept });
      return `${url}${path}`;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const MEDIA_KINDS: readonly string[] = [
  "normal",
  "slowDrip",
  "wrongLength",
  "truncateOnce",
  "changesWhenResumed",
  "gated",
] satisfies MediaBehavior["kind"][];

function isMedia(behaviour: WebBehavior): behaviour is MediaBehavior {
  return MEDIA_KINDS.includes(behaviour.kind);
}

function send(file: WebFile & { kept: KeptFile }, request: IncomingMessage, response: ServerResponse): void {
  const { behaviour = { kind: "normal" }, kept } = file;
  if (file.disposition !== undefined) response.setHeader("content-disposition", file.disposition);
  const type = { "content-type": kept.mimeType };
  if (isMedia(behaviour)) {
    sendMedia(kept, request, response);
    return;
  }
  switch (behaviour.kind) {
    case "noRanges": {
      const length = behaviour.isChunked ? {} : { "content-length": String(kept.bytes.length) };
      response.writeHead(200, { ...type, ...length }).end(kept.bytes);
      return;
    }
    case "wrongRange": {
      const start = Number(/^bytes=(\d+)/.exec(request.headers.range ?? "")?.[1] ?? 0) + 1;
      const range = `bytes ${start}-${kept.bytes.length - 1}/${kept.bytes.length}`;
      response.writeHead(206, { ...type, "content-range": range }).end(kept.bytes.subarray(start));
      return;
    }
    case "compressed":
      response.writeHead(200, { ...type, "content-encoding": "gzip" }).end(gzipSync(kept.bytes));
      return;
    case "page":
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<form><input type=password></form>");
      return;
    case "status":
      kept.received += 1;
      if (kept.received >= (behaviour.times ?? Infinity)) {
        sendMedia(kept, request, response);
        return;
      }
      response.writeHead(behaviour.status, { "content-type": "text/html", ...behaviour.headers }).end("<h1>No</h1>");
      return;
    case "redirect":
      response.writeHead(302, { location: behaviour.to }).end();
      return;
    case "garbage":
      request.socket.end("\u0000\u0001 220 ftp ready\r\n\r\n");
      return;
    case "silent":
      return;
    case "cut":
      request.socket.destroy();
  }
}
