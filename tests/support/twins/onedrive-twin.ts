/**
 * A local twin of OneDrive for visitors: the token service, the shares API and the addresses of contents. Errors as in
 * learn.microsoft.com/onedrive/developer/rest-api/concepts/errors; items as published on 2026-08-26.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type KeptFile, sendMedia } from "./google-drive/google-drive-twin-media.ts";

type OneDriveBehavior =
  | "normal"
  | "notFound"
  | "private"
  | "malware"
  | "folder"
  | "throttled"
  | "overBandwidth"
  | "outOfOrder"
  | "garbage"
  /** Redirects the download to another site. */
  | "leadsAway"
  | "truncateOnce";

type OneDriveFile = { name: string; bytes: Buffer; behaviour?: OneDriveBehavior };

export type OneDriveTwin = {
  url: string;
  environment: { ONEDRIVE_BASE_URL: string; ONEDRIVE_TOKEN_BASE_URL: string };
  /** Returns the link. */
  add(token: string, file: OneDriveFile): string;
  expireTokens(): void;
  rejectTokens(status: number): void;
  requests: { path: string; range: string | null }[];
  close(): Promise<void>;
};

export async function startOneDriveTwin(): Promise<OneDriveTwin> {
  const files = new Map<string, OneDriveFile & { kept: KeptFile }>();
  const requests: OneDriveTwin["requests"] = [];
  let generation = 1;
  let tokenStatus = 200;
  const server = http.createServer((request, response) => {
    const path = request.url ?? "/";
    requests.push({ path, range: request.headers.range ?? null });
    const share = /^\/shares\/u!([\w-]+)\/driveItem$/.exec(path)?.[1];
    const content = /^\/content\/([\w-]+)\?tempauth=/.exec(path)?.[1];
    if (path === "/token" && request.method === "POST") serveToken(response);
    else if (content !== undefined) sendMedia(files.get(content)!.kept, request, response);
    else if (share === undefined) sendError(response, 400, "invalidRequest");
    else if (request.headers.authorization !== `Badger token-${generation}`)
      sendError(response, 401, "unauthenticated");
    else serveItem(files.get(Buffer.from(share, "base64url").toString().split("/").at(-1)!), response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function serveToken(response: ServerResponse): void {
    if (tokenStatus === 200) sendJson(response, 200, { authScheme: "badger", token: `token-${generation}` });
    else sendError(response, tokenStatus, "notSupported");
  }

  function serveItem(file: (OneDriveFile & { kept: KeptFile }) | undefined, response: ServerResponse): void {
    const behaviour = file?.behaviour ?? "normal";
    if (!file || behaviour === "notFound") return sendError(response, 404, "itemNotFound");
    if (behaviour === "private") return sendError(response, 403, "accessDenied");
    if (behaviour === "malware") return sendError(response, 403, "malwareDetected");
    if (behaviour === "overBandwidth") return sendError(response, 509, "activityLimitReached");
    if (behaviour === "outOfOrder") return sendError(response, 503, "serviceNotAvailable");
    if (behaviour === "throttled") {
      response.setHeader("retry-after", "120");
      return sendError(response, 429, "activityLimitReached");
    }
    if (behaviour === "garbage") {
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Something went wrong</h1>");
      return;
    }
    const { name, bytes, kept } = file;
    if (behaviour === "folder") return sendJson(response, 200, { name, size: 9, folder: { childCount: 3 } });
    const origin = behaviour === "leadsAway" ? "https://evil.example" : url;
    return sendJson(response, 200, {
      name,
      size: bytes.length,
      file: { mimeType: "video/mp4" },
      cTag: `"c:{${createHash("md5").update(bytes).digest("hex")}},1"`,
      "@content.downloadUrl": `${origin}/content/${kept.id}?tempauth=v1`,
    });
  }

  return {
    url,
    environment: { ONEDRIVE_BASE_URL: url, ONEDRIVE_TOKEN_BASE_URL: url },
    requests,
    add(token, file) {
      const kind = file.behaviour === "truncateOnce" ? file.behaviour : "normal";
      const gate = Promise.withResolvers<void>();
      const { name, bytes } = file;
      const kept = {
        id: token,
        name,
        mimeType: "video/mp4",
        bytes,
        behaviour: { kind },
        received: 0,
        gate,
        line: null,
      } as const;
      files.set(token, { ...file, kept: { ...kept } });
      return `https://1drv.ms/v/c/a1b2c3d4/${token}?e=Xy12Zz`;
    },
    expireTokens() {
      generation += 1;
    },
    rejectTokens(status) {
      tokenStatus = status;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function sendError(response: ServerResponse, status: number, code: string): void {
  sendJson(response, status, { error: { code, message: "A sentence of the service" } });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
