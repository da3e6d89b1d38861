/** Browsers' refresh tokens stay in a cookie that scripts cannot read; scripts get a placeholder (PROTOCOL 5). */
import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { sha256Of } from "#ground/checksum.ts";
import type { SignedIn } from "#operations/accounts/sign-in/signed-in.ts";
import { deriveKey } from "#operations/derive-key.ts";
import { readPeer } from "../../requests/known-proxies.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { toSessionBody } from "./session-body.ts";

const PLACEHOLDER = "cookie.";
const COOKIE_PATH = "/auth/v1";
const COOKIE_DAYS = 30;

export function refreshCookieName(appSecret: string): string {
  const tag = sha256Of(deriveKey(appSecret, "cookie name")).slice(0, 8);
  return `clipmill-${tag}`;
}

/**
 * Includes browsers opening a mail's link. Only browsers send these headers; over plain http, some omit Sec-Fetch-Site.
 */
function isOwnPage(server: ServerContext, c: Context<ServerEnv>): boolean {
  if (c.req.method === "GET") return c.req.header("accept")?.includes("text/html") ?? false;
  const site = c.req.header("sec-fetch-site");
  if (site) return site === "same-origin";
  const origin = URL.parse(c.req.header("origin") ?? "");
  // A proxy may forward another host than requested.
  return origin !== null && [c.req.header("host"), URL.parse(server.publicUrl ?? "")?.host].includes(origin.host);
}

/** Returns a placeholder if the token went into the cookie. */
export function deliverRefreshToken(server: ServerContext, c: Context<ServerEnv>, token: string): string {
  if (!isOwnPage(server, c)) return token;
  setCookie(c, server.cookieName, token, { ...cookieOptions(server, c), maxAge: COOKIE_DAYS * 24 * 60 * 60 });
  return PLACEHOLDER + randomBytes(12).toString("base64url");
}

/** Returns the cookie's token for a placeholder; null if there is none. */
export function readRefreshToken(server: ServerContext, c: Context<ServerEnv>, sent: string): string | null {
  if (!sent.startsWith(PLACEHOLDER)) return sent;
  return isOwnPage(server, c) ? (getCookie(c, server.cookieName) ?? null) : null;
}

export function clearRefreshCookie(server: ServerContext, c: Context<ServerEnv>): void {
  if (getCookie(c, server.cookieName) !== undefined) deleteCookie(c, server.cookieName, cookieOptions(server, c));
}

function cookieOptions(server: ServerContext, c: Context<ServerEnv>) {
  return { path: COOKIE_PATH, httpOnly: true, sameSite: "Strict", secure: isHttpsRequest(server, c) } as const;
}

/**
 * Detects browsers' https, which a proxy may terminate, from the Origin header, a known proxy's X-Forwarded-Proto, or
 * the public URL.
 */
export function isHttpsRequest(server: ServerContext, c: Context<ServerEnv>): boolean {
  const origin = URL.parse(c.req.header("origin") ?? "");
  if (origin) return origin.protocol === "https:";
  const forwarded = c.req.header("x-forwarded-proto");
  if (forwarded && readPeer(c).isKnownProxy) return forwarded === "https";
  const own = URL.parse(server.publicUrl ?? "");
  return own?.protocol === "https:" && own.host === c.req.header("host");
}

export async function respondWithSession(
  server: ServerContext,
  c: Context<ServerEnv>,
  signedIn: SignedIn,
): Promise<Response> {
  c.set("operator", { account: signedIn.account, sessionId: signedIn.sessionId });
  const refreshToken = deliverRefreshToken(server, c, signedIn.refreshToken);
  return c.json(await toSessionBody(server.accessTokens, signedIn, refreshToken));
}
