import type { Kysely, Selectable } from "kysely";
import { z } from "zod";
import {
  type Connection,
  type ConnectionKind,
  type ConnectionUser,
  MAX_LISTED_USERS,
  type SettingsOf,
} from "#contract/connections/connections.ts";
import type { SecretValues } from "#contract/connections/kinds/connection-kind.ts";
import { rulesOf } from "#contract/connections/kinds/connection-kinds.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";

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

const secretSchema = z.record(z.string(), z.string());

const MIN_LENGTH_WITH_ENDING = 12;

/** Sealed under this name, a secret copied to another row does not open. */
export function connectionSealName(id: string): string {
  return `connection:${id}`;
}

export function sealConnectionSecret({ secrets }: Pick<Context, "secrets">, id: string, secret: SecretValues): string {
  return secrets.seal(connectionSealName(id), JSON.stringify(secret));
}

/** Null for a missing secret, or one that cannot be decrypted: it must be entered again. */
export function openConnectionSecret(
  { secrets }: Pick<Context, "secrets">,
  { id, sealed_secret: sealed }: { id: string; sealed_secret: string | null },
): SecretValues | null {
  if (sealed === null) return null;
  try {
    return secretSchema.parse(JSON.parse(secrets.open(connectionSealName(id), sealed)));
  } catch (error) {
    if (error instanceof ClipmillError) return null;
    throw error;
  }
}

/** Returns the last four characters; null for a short secret. */
function endOf(secret: string): string | null {
  return secret.length >= MIN_LENGTH_WITH_ENDING ? secret.slice(-4) : null;
}
