/** A local twin of Google Drive (API v3 and public download). */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createSlowLine } from "./slow-line.ts";
import { apiResponses, publicResponses, type TwinResponse } from "./google-drive-twin-responses.ts";
import { type KeptFile, md5Of, sendMedia, type TwinBehavior } from "./google-drive-twin-media.ts";

type TwinFile = {
  id: string;
  name: string;
  mimeType: string;
  behaviour?: TwinBehavior;
  folder?: string;
} & ({ path: string } | { bytes: Buffer });

type TwinRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  range: string | null;
  headers: http.IncomingHttpHeaders;
};

export type DriveTwin = {
  url: string;
  environment: { GOOGLE_API_BASE_URL: string; GOOGLE_DOWNLOAD_BASE_URL: string };
  add(file: TwinFile): void;
  release(id: string): void;
  /** Returns the link. */
  links(id: string): string;
  /** Drops every connection ("cuts") or never responds ("silent"); null ends the outage. */
  setAway(way: "cuts" | "silent" | null): void;
  requests: TwinRequest[];
  /** The request may be past or future. */
  waitForRequest(isMet: (request: TwinRequest) => boolean): Promise<TwinRequest>;
  close(): Promise<void>;
};

const FILE_ID_PATH = /^\/drive\/v3\/files\/([A-Za-z0-9_-]+)$/;
/** The API may send fewer than requested. */
const FILES_PER_PAGE = 100;
const CONFIRMED_UUID = "5a1f6c1e-0b5d-4a7e-9f36-2d1c0f6f7b42";

/** `apiKey` is the only accepted key (default: any); `bytesPerSecond` limits all downloads of normal files together. */
export async function startDriveTwin(
  options: { apiKey?: string; port?: number; bytesPerSecond?: number } = {},
): Promise<DriveTwin> {
  const line = options.bytesPerSecond === undefined ? null : createSlowLine(options.bytesPerSecond);
  const files = new Map<string, KeptFile>();
  const folders = new Map<string, string>();
  const requests: TwinRequest[] = [];
  const waiting = new Set<() => void>();
  let away: "cuts" | "silent" | null = null;
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? "/", twinUrl);
    requests.push(recordOf(request, url));
    for (const check of waiting) check();
    if (away === "cuts") request.socket.destroy();
    else if (away === null) handle(url, request, response);
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const twinUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function handle(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const apiId = FILE_ID_PATH.exec(url.pathname)?.[1];
    if (url.pathname === "/drive/v3/files") serveList(url, response);
    else if (apiId !== undefined) serveApi(apiId, url, request, response);
    else if (url.pathname === "/download" || url.pathname === "/uc") servePublic(url, request, response);
    else if (url.pathname.startsWith("/moved/")) sendKept(url.pathname.slice("/moved/".length), request, response);
    else send(response, publicResponses.notFound());
  }

  function serveApi(id: string, url: URL, request: IncomingMessage, response: ServerResponse): void {
    const key = url.searchParams.get("key");
    const file = files.get(id);
    if (key === null) send(response, apiResponses.noKey());
    else if (options.apiKey !== undefined && key !== options.apiKey) send(response, apiResponses.badKey());
    else if (!file || !isVisible(file, resourceKeyInHeader(request, id))) send(response, apiResponses.notFound(id));
    else {
      const error = errorOfApi(file, url.searchParams.get("alt") === "media");
      if (error) send(response, error);
      else if (url.searchParams.get("alt") === "media") sendFile(file, request, response);
      else sendJson(response, metadataOf(file));
    }
  }

  /** Parses only the queries that Clipmill sends. Returns 404 for an unknown folder, as for an unshared one. */
  function serveList(url: URL, response: ServerResponse): void {
    const key = url.searchParams.get("key");
    if (options.apiKey !== undefined && key !== options.apiKey) return send(response, apiResponses.badKey());
    const question = url.searchParams.get("q") ?? "";
    const folder = /^'([\w-]+)' in parents/.exec(question)?.[1] ?? "";
    const all = [...files.values()].filter((file) => folders.get(file.id) === folder);
    if (all.length === 0) return send(response, apiResponses.notFound("."));
    const media = question.includes("contains 'video/'")
      ? all.filter(({ mimeType }) => /^(?:video|audio)\//.test(mimeType))
      : all;
    const start = Number(url.searchParams.get("pageToken") ?? 0);
    const end = start + FILES_PER_PAGE;
    const page = media.slice(start, end).map(listedOf);
    return sendJson(response, { files: page, ...(end < media.length && { nextPageToken: String(end) }) });
  }

  function servePublic(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const id = url.searchParams.get("id") ?? "";
    const file = files.get(id);
    if (file?.behaviour.kind === "notShared") {
      send(response, file.behaviour.as === "page" ? publicResponses.needAccess() : publicResponses.signIn(id));
    } else if (!file || !isVisible(file, url.searchParams.get("resourcekey"))) {
      send(response, publicResponses.notFound());
    } else {
      const error = errorOfPublic(file, url);
      if (error) send(response, error);
      else sendFile(file, request, response);
    }
  }

  function errorOfPublic(file: KeptFile, url: URL): TwinResponse | null {
    const { kind } = file.behaviour;
    if (kind === "quotaExceeded") return publicResponses.quotaExceeded();
    if (kind === "notDownloadable") return publicResponses.needAccess();
    if (kind === "virusScanPage" && url.searchParams.get("uuid") !== CONFIRMED_UUID) {
      return publicResponses.virusScan({
        action: `${twinUrl}/download`,
        id: file.id,
        name: file.name ?? file.id,
        uuid: CONFIRMED_UUID,
      });
    }
    return errorOfBoth(file, publicResponses);
  }

  function sendKept(id: string, request: IncomingMessage, response: ServerResponse): void {
    const file = files.get(id);
    if (file) sendMedia(file, request, response);
    else send(response, publicResponses.notFound());
  }

  return {
    url: twinUrl,
    environment: { GOOGLE_API_BASE_URL: twinUrl, GOOGLE_DOWNLOAD_BASE_URL: twinUrl },
    requests,
    add(file) {
      const bytes = "bytes" in file ? file.bytes : readFileSync(file.path);
      const { id, name, mimeType, behaviour = { kind: "normal" } } = file;
      files.get(id)?.gate.resolve();
      if (file.folder !== undefined) folders.set(id, file.folder);
      files.set(id, { id, name, mimeType, bytes, behaviour, received: 0, gate: Promise.withResolvers(), line });
    },
    setAway(way) {
      away = way;
    },
    release(id) {
      files.get(id)?.gate.resolve();
    },
    links: (id) => `https://drive.google.com/file/d/${id}/view`,
    waitForRequest(isMet) {
      const { promise, resolve } = Promise.withResolvers<TwinRequest>();
      const check = () => {
        const found = requests.find(isMet);
        if (!found) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
      return promise;
    },
    async close() {
      for (const file of files.values()) file.gate.resolve();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function sendFile(file: KeptFile, request: IncomingMessage, response: ServerResponse): void {
  if (file.behaviour.kind === "redirect") {
    response.writeHead(302, { location: file.behaviour.to ?? `/moved/${file.id}` }).end();
  } else {
    sendMedia(file, request, response);
  }
}

function isVisible(file: KeptFile, resourceKey: string | null): boolean {
  const { behaviour } = file;
  if (behaviour.kind === "notFound" || behaviour.kind === "notShared") return false;
  return behaviour.kind !== "resourceKey" || behaviour.resourceKey === resourceKey;
}

function errorOfApi(file: KeptFile, isMedia: boolean): TwinResponse | null {
  if (isMedia && file.behaviour.kind === "quotaExceeded") return apiResponses.quotaExceeded();
  if (isMedia && file.behaviour.kind === "notDownloadable") return apiResponses.cannotDownload();
  if (isMedia && file.mimeType.startsWith("application/vnd.google-apps.")) return apiResponses.notDownloadable();
  return errorOfBoth(file, apiResponses);
}

function errorOfBoth(
  file: KeptFile,
  responses: { rateLimited(): TwinResponse; backendError(): TwinResponse },
): TwinResponse | null {
  const { behaviour } = file;
  if (behaviour.kind !== "rateLimited" && behaviour.kind !== "outOfOrder") return null;
  file.received += 1;
  if (file.received > behaviour.times) return null;
  if (behaviour.kind === "outOfOrder") return responses.backendError();
  const { retryAfterSeconds } = behaviour;
  const headers: Record<string, string> =
    retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) };
  return { ...responses.rateLimited(), headers };
}

function listedOf(file: KeptFile): Record<string, unknown> {
  const { behaviour } = file;
  return { ...metadataOf(file), ...(behaviour.kind === "resourceKey" && { resourceKey: behaviour.resourceKey }) };
}

function metadataOf(file: KeptFile): Record<string, unknown> {
  const facts = {
    id: file.id,
    name: file.name,
    mimeType: file.mimeType,
    capabilities: { canDownload: file.behaviour.kind !== "notDownloadable" },
  };
  // Google Docs files have no bytes and therefore no size or checksum.
  if (file.mimeType.startsWith("application/vnd.google-apps.")) return facts;
  const announced = file.bytes.length + (file.behaviour.kind === "wrongLength" ? 1000 : 0);
  const md5Checksum = md5Of(file.bytes);
  return { ...facts, size: String(announced), md5Checksum, headRevisionId: `0B${md5Checksum.slice(0, 20)}` };
}

/** Reads `X-Goog-Drive-Resource-Keys: id/key,id/key`. */
function resourceKeyInHeader(request: IncomingMessage, id: string): string | null {
  const pairs = String(request.headers["x-goog-drive-resource-keys"] ?? "").split(",");
  return pairs.map((pair) => pair.trim().split("/")).find(([pairId]) => pairId === id)?.[1] ?? null;
}

function recordOf(request: IncomingMessage, url: URL): TwinRequest {
  return {
    method: request.method ?? "",
    path: url.pathname,
    query: url.searchParams,
    range: request.headers.range ?? null,
    headers: request.headers,
  };
}

function send(response: ServerResponse, { status, headers, contentType, body }: TwinResponse): void {
  response.writeHead(status, { "content-type": contentType, ...headers }).end(body);
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json; charset=UTF-8" }).end(JSON.stringify(body));
}
