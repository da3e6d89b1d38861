import { openDriveAccount } from "#integrations/remote-stores/drive/open-drive.ts";
import { openDropbox } from "#integrations/remote-stores/dropbox/open-dropbox.ts";
import type { RemoteStore } from "#integrations/remote-stores/remote-store.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { Context } from "../context.ts";
import { openConnection, type OpenedConnection } from "./open-connection.ts";

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
