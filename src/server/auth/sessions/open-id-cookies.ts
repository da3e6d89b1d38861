/** Bind a sign-in at the OpenID provider, and later the sign-out there, to the browser that started it. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { hashToken } from "#operations/accounts/sessions/refresh-token.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { isHttpsRequest } from "./refresh-cookie.ts";
import { type Start, START_SECONDS } from "./start-signer.ts";

const SIGN_OUT_SECONDS = 30 * 86_400;
/** Browsers keep at most 4,096 bytes, with the name and attributes. */
const MAX_ID_TOKEN = 3_800;
const COOKIE_PATH = "/auth/v1/oidc";

/** Lax: the browser comes back from another site, and then has no Strict cookie, such as that of its session. */
export async function keepStart(
  server: ServerContext,
  c: Context<ServerEnv>,
  starting: Omit<Start, "tokenHash">,
): Promise<void> {
  const refreshToken = getCookie(c, server.cookieName);
  const start = { ...starting, tokenHash: refreshToken === undefined ? null : hashToken(refreshToken) };
  const options = { ...optionsOf(server, c), sameSite: "Lax", maxAge: START_SECONDS } as const;
  setCookie(c, startName(server), await server.signInStarts.sign(start), options);
}

/** Each start is for one callback. */
export function takeStart(server: ServerContext, c: Context<ServerEnv>): Promise<Start | null> {
  const cookie = getCookie(c, startName(server));
  if (cookie !== undefined) deleteCookie(c, startName(server), optionsOf(server, c));
  return server.signInStarts.read(cookie);
}

/** For the provider's sign-out page, which otherwise asks who signs out, or rejects the request. */
export function keepIdToken(server: ServerContext, c: Context<ServerEnv>, idToken: string): void {
  if (idToken.length > MAX_ID_TOKEN) return;
  const options = { ...optionsOf(server, c), sameSite: "Strict", maxAge: SIGN_OUT_SECONDS } as const;
  setCookie(c, idTokenName(server), idToken, options);
}

/** Returns null in other browsers, and for requests of other sites. */
export function takeIdToken(server: ServerContext, c: Context<ServerEnv>): string | null {
  const idToken = getCookie(c, idTokenName(server));
  if (idToken === undefined) return null;
  deleteCookie(c, idTokenName(server), optionsOf(server, c));
  return idToken;
}

function startName({ cookieName }: ServerContext): string {
  return `${cookieName}-start`;
}

function idTokenName({ cookieName }: ServerContext): string {
  return `${cookieName}-id`;
}

function optionsOf(server: ServerContext, c: Context<ServerEnv>) {
  return { path: COOKIE_PATH, httpOnly: true, secure: isHttpsRequest(server, c) } as const;
}
