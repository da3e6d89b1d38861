import { sql } from "kysely";
import type { ConnectionKind, SecretOf, SettingsOf } from "#contract/connections/connections.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../context.ts";
import { openConnectionSecret } from "./connection-secret.ts";
import { type ConnectionRow, isOfKind, type RowOf, selectConnections } from "./select-connections.ts";

/** Contains the decrypted secret: never log or return it. */
export type OpenedConnection<Kind extends ConnectionKind = ConnectionKind> = {
  [One in Kind]: { name: string; kind: One; settings: SettingsOf[One]; secret: SecretOf[One] };
}[Kind];

/** Throws ClipmillError "bad_key" if the secret must be entered again. */
export function openRow<Kind extends ConnectionKind>(
  context: Pick<Context, "secrets">,
  row: RowOf<Kind>,
): OpenedConnection<Kind> {
  const { name, kind, settings } = row;
  const secret = openConnectionSecret(context, row);
  if (secret) return { name, kind, settings, secret } as OpenedConnection<Kind>;
  throw new ClipmillError(
    "bad_key",
    `The secret of the connection "${name}" cannot be decrypted. Enter it again in Settings.`,
  );
}

/**
 * Records the use. Throws ClipmillError "bad_key" if the connection was removed, has another kind or needs its secret
 * again.
 */
export async function openConnection<Kind extends ConnectionKind>(
  context: Pick<Context, "db" | "secrets">,
  id: string,
  kinds: readonly Kind[],
): Promise<OpenedConnection<Kind>> {
  const row: ConnectionRow | undefined = await selectConnections(context.db).where("id", "=", id).executeTakeFirst();
  const kind = row && kinds.find((one) => isOfKind(row, one));
  if (!kind) throw new ClipmillError("bad_key", "The connection was removed. Choose another one.");
  const opened = openRow(context, row as RowOf<Kind>);
  await recordUse(context, id);
  return opened;
}

/** At most once a minute, so that parallel downloads do not write constantly. */
export async function recordUse({ db }: Pick<Context, "db">, id: string): Promise<void> {
  await db
    .updateTable("connections")
    .set({ last_used_at: sql<string>`now()` })
    .where("id", "=", id)
    .where(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`)
    .execute();
}
