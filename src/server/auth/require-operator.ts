import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { readSession } from "#operations/accounts/read-session.ts";
import type { Operator, ServerContext, ServerEnv } from "../server-context.ts";

/** Lets only signed-in operators through. Throws AuthError for everybody else. */
export function requireOperator(server: ServerContext) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    c.set("operator", await readOperator(server, c));
    await next();
  });
}

async function readOperator(server: ServerContext, c: Context<ServerEnv>): Promise<Operator> {
  const token = /^Bearer\s+(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  // Without a session the client sends its API key as the bearer; a token of ours has two dots.
  if (!token || token === c.req.header("apikey") || token.split(".").length !== 3) {
    throw new AuthError("no_authorization", "Please sign in first.");
  }
  const claims = await server.accessTokens.read(token);
  return { account: await readSession(server, claims), sessionId: claims.sessionId };
}
