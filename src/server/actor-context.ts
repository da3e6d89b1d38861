import type { Context } from "hono";
import type { ActorContext, Changing } from "#operations/audit/actor.ts";
import type { ServerContext, ServerEnv } from "./server-context.ts";

/**
 * Adds the signed-in operator as the actor, for verbs that open their own transaction. Requires a middleware that sets
 * `operator`.
 */
export function actorContextFor(server: ServerContext, c: Context<ServerEnv>): ServerContext & ActorContext {
  return { ...server, actor: c.get("operator").account };
}

/** Runs a change by the signed-in operator in its own transaction. */
export function changeFor<Result>(
  server: ServerContext,
  c: Context<ServerEnv>,
  change: (changing: Changing) => Promise<Result>,
): Promise<Result> {
  return server.db.transaction().execute((trx) => change({ trx, actor: c.get("operator").account }));
}
