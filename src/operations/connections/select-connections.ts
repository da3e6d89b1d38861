import type { Kysely, Selectable } from "kysely";
import { type Connection, type ConnectionUser, MAX_LISTED_USERS } from "#contract/connections/connections.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { endOf, openConnectionSecret } from "./connection-secret.ts";

export type ConnectionRow = Selectable<Tables["connections"]>;

/** Selects connections, oldest first. */
export function selectConnections(db: Kysely<Tables>) {
  return db.selectFrom("connections").selectAll().orderBy("created_at").orderBy("id");
}

/** Returns a connection in wire format, without its secret. `users` are the unfinished jobs that need it. */
export function toConnection(
  context: Pick<Context, "secrets">,
  row: ConnectionRow,
  users: readonly ConnectionUser[],
): Connection {
  const { sealed_secret: _, settings, ...fields } = row;
  const secret = openConnectionSecret(context, row);
  return {
    ...fields,
    ...settings,
    last4: secret && endOf(secret.secret_access_key),
    needs_secret: secret === null,
    used_by: users.slice(0, MAX_LISTED_USERS),
    used_by_total: users.length,
  };
}
