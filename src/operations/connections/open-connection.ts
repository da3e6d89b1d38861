import { sql } from "kysely";
import type { ConnectionKind, SecretOf, SettingsOf } from "#contract/connections/connections.ts";
import { ClipmillError } from "#contract/errors.ts";
import { openPostizAccount, type PostizAccount } from "#integrations/destinations/postiz/postiz-account.ts";
import { openDriveAccount } from "#integrations/remote-stores/drive/open-drive.ts";
import { openDropbox } from "#integrations/remote-stores/dropbox/open-dropbox.ts";
import type { RemoteStore } from "#integrations/remote-stores/remote-store.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { Context } from "../context.ts";
import { isTrustedEndpoint } from "./kinds/require-allowed-endpoint.ts";
import {
  type ConnectionRow,
  isOfKind,
  openConnectionSecret,
  type RowOf,
  selectConnections,
} from "./select-connections.ts";

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

type OpenedPostiz = { account: PostizAccount; name: string; postsPerHour: number };

/** Opens the account until `signal` aborts. Throws like openConnection. */
export async function openPostiz(
  context: Pick<Context, "db" | "secrets" | "hosts">,
  connectionId: string,
  signal: AbortSignal,
): Promise<OpenedPostiz> {
  return openPostizOf(context, await openConnection(context, connectionId, ["postiz"]), signal);
}

export function openPostizOf(
  context: Pick<Context, "hosts">,
  { name, settings, secret }: OpenedConnection<"postiz">,
  signal: AbortSignal,
): OpenedPostiz {
  const isTrusted = isTrustedEndpoint(context, settings.endpoint);
  const account = openPostizAccount({ connection: name, settings, secret, isTrusted }, signal);
  return { account, name, postsPerHour: settings.posts_per_hour };
}

/** S3 buckets have no folders, and another client. */
const REMOTE_STORE_KINDS = ["dropbox", "drive", "sftp"] as const;
type RemoteStoreKind = (typeof REMOTE_STORE_KINDS)[number];

/** The caller closes the store. Throws like openConnection, and ClipmillError "network". */
export async function openRemoteStore(
  context: Pick<Context, "db" | "secrets" | "hosts">,
  connectionId: string,
  signal: AbortSignal,
): Promise<RemoteStore> {
  return await openStoreOf(context, await openConnection(context, connectionId, REMOTE_STORE_KINDS), signal);
}

async function openStoreOf(
  { hosts: { baseUrls, privateSources } }: Pick<Context, "hosts">,
  connection: OpenedConnection<RemoteStoreKind>,
  signal: AbortSignal,
): Promise<RemoteStore> {
  switch (connection.kind) {
    case "dropbox":
      return openDropbox(connection, { get: createSourceGet({ signal }), baseUrls });
    case "drive":
      return openDriveAccount(connection, { get: createSourceGet({ signal }), baseUrls });
    case "sftp": {
      // Loaded on demand, because few installations use it.
      const { openSftp } = await import("#integrations/remote-stores/sftp/open-sftp.ts");
      return await openSftp(connection, { signal, privateSources });
    }
  }
}
