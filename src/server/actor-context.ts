import type { Context } from "hono";
import type { Actor, ActorContext, Changing } from "#operations/audit/actor.ts";
import type { ServerContext, ServerEnv } from "./server-context.ts";

export function actorOf(c: Context<ServerEnv>): Actor {
  const { account, scopes } = c.get("operator");
  return { id: account.id, email: account.email, ...(scopes && { scopes }) };
}

/** For verbs that open their own transaction. Requires a middleware that sets `operator`. */
export function actorContextFor(server: ServerContext, c: Context<ServerEnv>): ServerContext & ActorContext {
  return { ...server, actor: actorOf(c) };
}

export function changeFor<Result>(
  server: ServerContext,
  c: Context<ServerEnv>,
  change: (changing: Changing) => Promise<Result>,
): Promise<Result> {
  return server.db.transaction().execute((trx) => change({ trx, actor: actorOf(c) }));
}
