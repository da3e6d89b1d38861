import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Context } from "hono";
import { ClipmillError } from "#contract/errors.ts";
import { GUEST_PATH } from "#contract/guests/guests.ts";
import { sha256Of } from "#ground/checksum.ts";
import type { FramedPages } from "./framed-pages.ts";
import type { ServerEnv } from "../server-context.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type WebFile = { type: string; etag: string; plain: Bytes; br: Bytes | null; gzip: Bytes | null };

/** Unknown paths below these return an error, not the app. */
const API_PREFIXES = [
  "/auth/",
  "/rest/",
  "/functions/",
  "/realtime/",
  "/storage/",
  "/downloads/",
  "/.well-known/",
  "/oauth/token",
  "/oauth/register",
];
const PACKED = /\.(?:br|gz)$/;
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
};

/**
 * Serves files from memory, so no path reaches the file system; other paths get the app's page. Its ETag includes the
 * frameable origins, because browsers cache headers with it.
 */
export function serveWebApp(webRoot: string, framed: FramedPages): (c: Context<ServerEnv>) => Promise<Response> {
  const files = readFiles(webRoot);
  return async (c) => {
    const pathname = c.req.path;
    if (API_PREFIXES.some((prefix) => pathname.startsWith(prefix))) {
      throw new ClipmillError("not_found", "There is nothing at this address.");
    }
    const file = files.get(pathname);
    const page = files.get(isGuestPage(pathname) ? "/guest.html" : "/index.html");
    if (file && file !== page) return respondWithFile(c, file, isHashed(pathname));
    if (!page) throw new ClipmillError("not_found", "The web app is not built.");
    // A missing script must not return a page.
    if (!file && path.extname(pathname) !== "" && !c.req.header("accept")?.includes("text/html")) {
      throw new ClipmillError("not_found", "There is nothing at this address.");
    }
    return respondWithFile(c, { ...page, etag: versionOf(page.etag, await framed.read()) }, false);
  };
}

export function isGuestPage(pathname: string): boolean {
  return pathname.startsWith(GUEST_PATH);
}

function versionOf(...parts: unknown[]): string {
  return `"${sha256Of(JSON.stringify(parts), "base64url").slice(0, 22)}"`;
}

function readFiles(webRoot: string): Map<string, WebFile> {
  if (!existsSync(webRoot)) return new Map();
  const names = readdirSync(webRoot, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !PACKED.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(
    names.map((name) => [`/${path.relative(webRoot, name).split(path.sep).join("/")}`, readWebFile(name)]),
  );
}

function readWebFile(name: string): WebFile {
  const plain = Uint8Array.from(readFileSync(name));
  const packed = (extension: string) =>
    existsSync(name + extension) ? Uint8Array.from(readFileSync(name + extension)) : null;
  return {
    type: TYPES[path.extname(name)] ?? "application/octet-stream",
    etag: `"${sha256Of(plain, "base64url").slice(0, 22)}"`,
    plain,
    br: packed(".br"),
    gzip: packed(".gz"),
  };
}

function isHashed(pathname: string): boolean {
  return pathname.startsWith("/assets/");
}

function respondWithFile(c: Context<ServerEnv>, file: WebFile, isImmutable: boolean): Response {
  c.header("ETag", file.etag);
  c.header("Cache-Control", isImmutable ? "public, max-age=31536000, immutable" : "no-cache");
  c.header("Vary", "Accept-Encoding");
  if (c.req.header("if-none-match") === file.etag) return c.body(null, 304);
  c.header("Content-Type", file.type);
  const accepted = c.req.header("accept-encoding") ?? "";
  for (const encoding of ["br", "gzip"] as const) {
    const packed = file[encoding];
    if (packed && new RegExp(`\\b${encoding}\\b`).test(accepted)) {
      c.header("Content-Encoding", encoding);
      return c.body(packed);
    }
  }
  return c.body(file.plain);
}
