/** Bind a sign-in at the OpenID provider, and later the sign-out there, to the browser that started it. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { deriveKey } from "#operations/derive-key.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { isHttpsRequest } from "./refresh-cookie.ts";

/** Time to sign in at the provider. */
const START_SECONDS = 10 * 60;
const SIGN_OUT_SECONDS = 30 * 86_400;
/** Browsers keep at most 4,096 bytes, with the name and attributes. */
const MAX_ID_TOKEN = 3_800;
const ALGORITHM = "HS256";
const COOKIE_PATH = "/auth/v1/oidc";

const startSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  redirectUri: z.string(),
  /** The page to return to, which `redirectOfLink` has checked. */
  returnTo: z.string(),
});
type Start = z.output<typeof startSchema>;

export type StartSigner = {
  sign(start: Start): Promise<string>;
  /** Returns null for a cookie that is missing, forged or too old. */
  read(cookie: string | undefined): Promise<Start | null>;
};

export function createStartSigner(appSecret: string): StartSigner {
  const key = deriveKey(appSecret, "openid sign-ins");
  return {
    sign: (start) =>
      new SignJWT(start).setProtectedHeader({ alg: ALGORITHM }).setExpirationTime(`${START_SECONDS}s`).sign(key),
    async read(cookie) {
      if (cookie === undefined) return null;
      const verified = await jwtVerify(cookie, key, { algorithms: [ALGORITHM] }).catch(() => null);
      return startSchema.safeParse(verified?.payload).data ?? null;
    },
  };
}

/** Lax: the browser comes back from another site. */
export async function keepStart(server: ServerContext, c: Context<ServerEnv>, start: Start): Promise<void> {
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
