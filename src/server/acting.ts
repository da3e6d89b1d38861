import type { Context } from "hono";
import type { Acting, Changing } from "#operations/audit/actor.ts";
import type { ServerContext, ServerEnv } from "./server-context.ts";

/** Returns the context for verbs that the signed-in operator calls. */
export function actingFor(server: ServerContext, c: Context<ServerEnv>): ServerContext & Acting {
  return { ...server, actor: c.get("operator").account };
}

/** Runs a change of the signed-in operator in a transaction of its own. */
export function changeFor<Result>(
  server: ServerContext,
  c: Context<ServerEnv>,
  change: (changing: Changing) => Promise<Result>,
): Promise<Result> {
  return server.db.transaction().execute((trx) => change({ trx, actor: c.get("operator").account }));
}
