/** In a browser the refresh token lives in a cookie that scripts cannot read; they get a placeholder (PROTOCOL 5). */
import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { sha256Of } from "#ground/checksum.ts";
import { deriveKey } from "#operations/derive-key.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { cameOverHttps } from "./came-over-https.ts";

const PLACEHOLDER = "cookie.";
const COOKIE_PATH = "/auth/v1";
const COOKIE_DAYS = 30;

/** A name of its own for each installation. */
export function refreshCookieName(appSecret: string): string {
  const tag = sha256Of(deriveKey(appSecret, "cookie name")).slice(0, 8);
  return `clipmill-${tag}`;
}

/**
 * True for a script of our own pages, and for a browser that opens a mail's link, which leads to one. Only browsers send
 * these headers; over plain http not all send the first.
 */
function isOwnPage(server: ServerContext, c: Context<ServerEnv>): boolean {
  if (c.req.method === "GET") return c.req.header("accept")?.includes("text/html") ?? false;
  const site = c.req.header("sec-fetch-site");
  if (site) return site === "same-origin";
  const origin = URL.parse(c.req.header("origin") ?? "");
  // A proxy may hand another host on than the one that the browser asked for.
  return origin !== null && [c.req.header("host"), URL.parse(server.publicUrl ?? "")?.host].includes(origin.host);
}

/** What to send as refresh_token: the token itself, or a placeholder when it went into the cookie. */
export function handOutRefreshToken(server: ServerContext, c: Context<ServerEnv>, token: string): string {
  if (!isOwnPage(server, c)) return token;
  setCookie(c, server.cookieName, token, { ...cookieOptions(server, c), maxAge: COOKIE_DAYS * 24 * 60 * 60 });
  return PLACEHOLDER + randomBytes(12).toString("base64url");
}

/** The refresh token meant by a request: what it sent, or its cookie's for a placeholder. Null without one. */
export function readRefreshToken(server: ServerContext, c: Context<ServerEnv>, sent: string): string | null {
  if (!sent.startsWith(PLACEHOLDER)) return sent;
  return isOwnPage(server, c) ? (getCookie(c, server.cookieName) ?? null) : null;
}

/** Takes the cookie back. */
export function clearRefreshCookie(server: ServerContext, c: Context<ServerEnv>): void {
  if (getCookie(c, server.cookieName) !== undefined) deleteCookie(c, server.cookieName, cookieOptions(server, c));
}

function cookieOptions(server: ServerContext, c: Context<ServerEnv>) {
  return { path: COOKIE_PATH, httpOnly: true, sameSite: "Strict", secure: cameOverHttps(server, c) } as const;
}
