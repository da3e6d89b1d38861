import { type DestinationSettings, OWN_FOLDER } from "#contract/destinations/destinations.ts";
import { ClipmillError } from "#contract/errors.ts";
import { openFolderTarget } from "#integrations/destinations/folder-target.ts";
import type { DeliveryTarget } from "#integrations/destinations/delivery-target.ts";
import { openPostizTarget } from "#integrations/destinations/postiz/postiz-target.ts";
import { openRemoteTarget } from "#integrations/destinations/remote-target.ts";
import { isTrustedEndpoint, requireAllowedEndpoint } from "../connections/kinds/require-allowed-endpoint.ts";
import { openConnection, openPostiz, openRemoteStore } from "../connections/open-connection.ts";
import type { Context } from "../context.ts";
import { requirePostAllowance } from "./postiz/list-channels.ts";
import { requireFolder } from "./change-destination.ts";
import type { DestinationRow } from "./select-destinations.ts";

export type Target = Pick<DestinationRow, "kind" | "name" | "connection_id"> &
  Pick<DestinationSettings, "place"> &
  Partial<Pick<DestinationSettings, "posting">>;

/** Opens the destination until `signal` aborts; the caller closes it. Throws ClipmillError with a remedy. */
export async function openTarget(
  context: Pick<Context, "db" | "secrets" | "hosts" | "deliveryFolders">,
  { kind, name, connection_id: connectionId, place, posting }: Target,
  signal: AbortSignal,
): Promise<DeliveryTarget> {
  switch (kind) {
    case "folder":
      return await openFolderTarget({ name, root: requireFolder(context, place), isOwn: place === OWN_FOLDER });
    case "s3": {
      const connection = await openConnection(context, requireConnection(connectionId), ["s3"]);
      const credentials = { ...connection.settings, ...connection.secret };
      requireAllowedEndpoint(context, credentials.endpoint);
      const isTrusted = isTrustedEndpoint(context, credentials.endpoint);
      // Loaded on demand, because the SDK is large.
      const { openS3Target } = await import("#integrations/destinations/s3/s3-target.ts");
      return openS3Target({ credentials, connection: connection.name, bucket: place, isTrusted });
    }
    case "sftp":
    case "drive":
    case "dropbox": {
      const id = requireConnection(connectionId);
      return openRemoteTarget({ root: place, open: () => openRemoteStore(context, id, signal) });
    }
    case "postiz": {
      const id = requireConnection(connectionId);
      const { account, name: connection, postsPerHour } = await openPostiz(context, id, signal);
      const requireAllowance = () => requirePostAllowance(context, { id, name: connection, postsPerHour });
      return openPostizTarget({ account, posting: posting!, requireAllowance });
    }
  }
}

function requireConnection(id: string | null): string {
  if (id !== null) return id;
  throw new ClipmillError("bad_key", "The connection of this destination was removed. Choose another one in Settings.");
}
