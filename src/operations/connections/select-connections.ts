import type { Kysely, Selectable } from "kysely";
import {
  type Connection,
  type ConnectionKind,
  type ConnectionUser,
  MAX_LISTED_USERS,
  type SettingsOf,
} from "#contract/connections/connections.ts";
import { rulesOf } from "#contract/connections/kinds/connection-kinds.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { endOf, openConnectionSecret } from "./connection-secret.ts";

export type ConnectionRow = Selectable<Tables["connections"]>;
export type RowOf<Kind extends ConnectionKind> = ConnectionRow & { kind: Kind; settings: SettingsOf[Kind] };

export function selectConnections(db: Kysely<Tables>) {
  return db.selectFrom("connections").selectAll().orderBy("created_at").orderBy("id");
}

export function isOfKind<Kind extends ConnectionKind>(row: ConnectionRow, kind: Kind): row is RowOf<Kind> {
  return row.kind === kind;
}

export function rowsOfKind<Kind extends ConnectionKind>(rows: readonly ConnectionRow[], kind: Kind): RowOf<Kind>[] {
  return rows.filter((row) => isOfKind(row, kind));
}

/** Excludes the secret. `users` need the connection. */
export function toConnection(
  context: Pick<Context, "secrets">,
  row: ConnectionRow,
  users: readonly ConnectionUser[],
): Connection {
  const { sealed_secret: _, settings, ...fields } = row;
  const secret = openConnectionSecret(context, row);
  const { endingOf, published = [] } = rulesOf<ConnectionKind>(row.kind);
  return {
    ...fields,
    ...settings,
    ...Object.fromEntries(published.map((name) => [name, secret?.[name] ?? null])),
    last4: endingOf === null ? null : endOf(secret?.[endingOf] ?? ""),
    needs_secret: secret === null,
    used_by: users.slice(0, MAX_LISTED_USERS),
    used_by_total: users.length,
  } as Connection;
}
