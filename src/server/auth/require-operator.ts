import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { TOKEN_PREFIX, WORKER_SCOPE } from "#contract/api-tokens.ts";
import { ClipmillError } from "#contract/errors.ts";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { findSession, readSession } from "#operations/accounts/sessions/read-session.ts";
import { findToken } from "#operations/tokens/find-token.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { checkScopes } from "./scopes.ts";

/**
 * Requires a signed-in operator, past any second step, or an API token that passes `check`, by default with the path's
 * scope. Throws AuthError, or ClipmillError "forbidden" for a missing scope.
 */
export function requireOperator(server: ServerContext, check: typeof checkScopes = checkScopes) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const bearer = bearerOf(c);
    if (bearer?.startsWith(TOKEN_PREFIX)) {
      const { id, account, scopes } = await findToken(server, bearer);
      if (scopes.includes(WORKER_SCOPE)) throw new ClipmillError("forbidden", "This token is only for workers.");
      await c.get("countRequest")(c, id);
      check(c, scopes);
      c.set("operator", { account, sessionId: id, scopes });
    } else {
      const claims = await server.accessTokens.read(requireAccessToken(c, bearer));
      c.set("operator", { account: await readSession(server, claims), sessionId: claims.sessionId });
    }
    await next();
  });
}

/** Accepts a session without its second step, for that step and for signing out. Throws AuthError. */
export function requireSession(server: ServerContext) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const bearer = bearerOf(c);
    if (bearer?.startsWith(TOKEN_PREFIX)) {
      throw new ClipmillError("forbidden", "API tokens cannot do this. Sign in instead.");
    }
    const claims = await server.accessTokens.read(requireAccessToken(c, bearer));
    const { account } = await findSession(server, claims);
    c.set("operator", { account, sessionId: claims.sessionId });
    await next();
  });
}

export function bearerOf(c: Context<ServerEnv>): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
}

function requireAccessToken(c: Context<ServerEnv>, bearer: string | undefined): string {
  // Without a session, the client sends its API key as the bearer; a JWT has two dots.
  if (!bearer || bearer === c.req.header("apikey") || bearer.split(".").length !== 3) {
    throw new AuthError("no_authorization", "Sign in first.");
  }
  return bearer;
}
