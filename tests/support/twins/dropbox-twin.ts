/**
 * A local twin of Dropbox's shared links. Behaves as the Vibe player's authors measured on 2026-10-08: a download
 * redirects to a new address for each request, which sends unquoted tags, ignores If-Range, and has the type
 * application/binary and the name "unspecified". A deleted link is a page with status 200, a password a redirect to
 * /sm/password.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type DropboxBehavior =
  | "normal"
  | "deleted"
  | "expired"
  | "password"
  | "private"
  /** help.dropbox.com/share/banned-links: an error page instead of the file. */
  | "overused"
  | "rateLimited"
  | "outOfOrder"
  | "redirectsAway";

type DropboxFile = { bytes: Buffer; behaviour?: DropboxBehavior; key?: string };

export type DropboxTwin = {
  url: string;
  environment: { DROPBOX_BASE_URL: string };
  /** Returns the link. */
  add(id: string, name: string, file: DropboxFile): string;
  requests: { path: string; range: string | null }[];
  close(): Promise<void>;
};

export async function startDropboxTwin(): Promise<DropboxTwin> {
  const files = new Map<string, DropboxFile>();
  const requests: DropboxTwin["requests"] = [];
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://twin");
    requests.push({ path: url.pathname, range: request.headers.range ?? null });
    const [, content] = /^\/cd\/0\/get\/\d+(\/.*)$/.exec(url.pathname) ?? [];
    if (content !== undefined) sendContent(files.get(content)!.bytes, request, response);
    else if (url.pathname === "/sm/password") sendPage(response, 200, "Enter the password for this link");
    else if (url.pathname === "/login") sendPage(response, 200, "Sign in");
    else serveLink(files.get(url.pathname), url, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const twinUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function serveLink(file: DropboxFile | undefined, url: URL, response: ServerResponse): void {
    const isOpen = file !== undefined && (file.key ?? null) === url.searchParams.get("rlkey");
    if (!isOpen)
      return sendPage(response, 200, "File Deleted. The file you are looking for has been moved or deleted.");
    if (url.searchParams.get("dl") !== "1") return sendPage(response, 200, "Preview");
    switch (file.behaviour ?? "normal") {
      case "normal":
        return redirect(response, `/cd/0/get/${requests.length}${url.pathname}`);
      case "deleted":
        return sendPage(response, 200, "File Deleted. The file you are looking for has been moved or deleted.");
      case "expired":
        return sendPage(response, 410, "This link has expired");
      case "password":
        return redirect(response, `/sm/password?cont=${encodeURIComponent(url.href)}`);
      case "private":
        return redirect(response, `/login?cont=${encodeURIComponent(url.href)}`);
      case "overused":
        return sendPage(
          response,
          429,
          "This account's links are generating too much traffic and have been temporarily disabled!",
        );
      case "rateLimited":
        response.setHeader("retry-after", "300");
        return sendPage(response, 429, "Too many requests");
      case "outOfOrder":
        return sendPage(response, 503, "Error (5xx)");
      case "redirectsAway":
        return redirect(response, "https://evil.example/file.mp4");
    }
  }

  return {
    url: twinUrl,
    environment: { DROPBOX_BASE_URL: twinUrl },
    requests,
    add(id, name, file) {
      const path = `/scl/fi/${id}/${encodeURIComponent(name)}`;
      files.set(path, file);
      return `https://www.dropbox.com${path}?${file.key === undefined ? "" : `rlkey=${file.key}&`}st=abc&dl=0`;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function sendContent(bytes: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const found = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
  const start = Number(found?.[1] ?? 0);
  const end = Math.min(found?.[2] ? Number(found[2]) : bytes.length, bytes.length - 1);
  if (start > end) {
    response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end();
    return;
  }
  response.writeHead(found ? 206 : 200, {
    "content-type": "application/binary",
    "content-length": String(end - start + 1),
    "content-disposition": 'attachment; filename="unspecified"',
    "accept-ranges": "bytes",
    etag: createHash("md5").update(bytes).digest("hex"),
    ...(found && { "content-range": `bytes ${start}-${end}/${bytes.length}` }),
  });
  response.end(bytes.subarray(start, end + 1));
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

function sendPage(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!DOCTYPE html><html><head><title>Dropbox</title></head><body><h1>${sentence}</h1></body></html>`);
}
