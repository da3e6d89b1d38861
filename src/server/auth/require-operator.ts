import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { findSession, readSession } from "#operations/accounts/sessions/read-session.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import type { AccessClaims } from "./sessions/access-token.ts";

/** Requires a signed-in operator, past any second step. Throws AuthError. */
export function requireOperator(server: ServerContext) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const claims = await readClaims(server, c);
    c.set("operator", { account: await readSession(server, claims), sessionId: claims.sessionId });
    await next();
  });
}

/** Requires a session, even without its second step: for the step itself and for signing out. Throws AuthError. */
export function requireSession(server: ServerContext) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const claims = await readClaims(server, c);
    const { account } = await findSession(server, claims);
    c.set("operator", { account, sessionId: claims.sessionId });
    await next();
  });
}

async function readClaims(server: ServerContext, c: Context<ServerEnv>): Promise<AccessClaims> {
  const token = /^Bearer\s+(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  // Without a session the client sends its API key as the bearer; a JWT has two dots.
  if (!token || token === c.req.header("apikey") || token.split(".").length !== 3) {
    throw new AuthError("no_authorization", "Sign in first.");
  }
  return server.accessTokens.read(token);
}
