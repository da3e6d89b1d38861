import type { Context } from "hono";
import type { Actor, ActorContext } from "#operations/audit/write-audit.ts";
import type { ServerContext, ServerEnv } from "./server-context.ts";

export function actorOf(c: Context<ServerEnv>): Actor {
  const { account, scopes } = c.get("operator");
  return { id: account.id, email: account.email, ...(scopes && { scopes }) };
}

/** For verbs that open their own transaction. Requires a middleware that sets `operator`. */
export function actorContextFor(server: ServerContext, c: Context<ServerEnv>): ServerContext & ActorContext {
  return { ...server, actor: actorOf(c) };
}
