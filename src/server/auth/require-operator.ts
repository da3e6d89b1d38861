import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { findSession, readSession } from "#operations/accounts/sessions/read-session.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import type { AccessClaims } from "./sessions/access-token.ts";

/** Lets only signed-in operators through, past their second step if they have one. Throws AuthError for everybody else. */
export function requireOperator(server: ServerContext) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const claims = await readClaims(server, c);
    c.set("operator", { account: await readSession(server, claims), sessionId: claims.sessionId });
    await next();
  });
}

/** Lets through who still has to pass the second step too: for the steps themselves, and to sign out. */
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
  // Without a session the client sends its API key as the bearer; a token of ours has two dots.
  if (!token || token === c.req.header("apikey") || token.split(".").length !== 3) {
    throw new AuthError("no_authorization", "Sign in first.");
  }
  return server.accessTokens.read(token);
}
