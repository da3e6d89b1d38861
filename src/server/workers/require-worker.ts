import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { TOKEN_PREFIX, WORKER_SCOPE } from "#contract/api-tokens.ts";
import { ClipmillError } from "#contract/errors.ts";
import { REJECTED_HEADER, VERSION_HEADER } from "#contract/workers/worker-protocol.ts";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { VERSION } from "#operations/fleet/list-workers.ts";
import { findToken } from "#operations/tokens/find-token.ts";
import type { TokenWorker } from "#operations/workers/token-claims.ts";
import { bearerOf } from "../auth/require-operator.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

/**
 * Requires a worker's token, and a worker of the server's version. Throws AuthError, or ClipmillError "forbidden" or
 * "conflict". Does not limit requests: many workers may share one token.
 */
export function requireWorker(server: ServerContext) {
  const accept = async (c: Context<ServerEnv>): Promise<TokenWorker> => {
    const bearer = bearerOf(c);
    if (!bearer?.startsWith(TOKEN_PREFIX)) throw new AuthError("no_authorization", "Send a worker token.");
    const { id: tokenId, scopes, workerLabels } = await findToken(server, bearer);
    if (!scopes.includes(WORKER_SCOPE)) throw new ClipmillError("forbidden", "This is not a worker token.");
    const version = c.req.header(VERSION_HEADER);
    if (version !== VERSION) {
      throw new ClipmillError(
        "conflict",
        `This server is Clipmill ${VERSION}, but the worker is ${version ?? "another program"}. Install the same version on both.`,
      );
    }
    return { tokenId, labels: workerLabels ?? [] };
  };
  return createMiddleware<ServerEnv>(async (c, next) => {
    try {
      c.set("worker", await accept(c));
    } catch (error) {
      const isFinal = error instanceof AuthError || (error instanceof ClipmillError && error.code !== "unavailable");
      if (isFinal) c.header(REJECTED_HEADER, "1");
      throw error;
    }
    await next();
  });
}
