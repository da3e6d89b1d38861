import { useQueryClient } from "@tanstack/react-query";
import type { Connection } from "#contract/connections/connections.ts";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { deleteConnection, testSavedConnection } from "../../../api/functions/settings/destinations.ts";
import { saveSettings, settingsKey } from "../../../api/functions/settings/settings.ts";
import { ConnectionSheet } from "../../../connections/connection-sheet.tsx";
import {
  countUsers,
  describeBuckets,
  describeKey,
  describeLoss,
  describePlace,
} from "../../../connections/describe-connection.ts";
import { useConnectionList, useConnections } from "../../../connections/use-connections.ts";
import { formatShortDate, formatWholeDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { SavedSection } from "./saved-section.tsx";

/** `settings` is undefined if they could not be loaded. */
export function ConnectionsSection({ settings }: { settings: SettingsResponse | undefined }) {
  const query = useConnections();
  return (
    <SavedSection
      noun="connection"
      text="Credentials for external storage. Secrets are stored encrypted and never shown again."
      emptyText="Add one to use files from S3, Dropbox, Google Drive or an SFTP server."
      query={query}
      list={useConnectionList()}
      note={settings && query.data?.data.some(mayFetch) && <TurnOnNote settings={settings} />}
      Sheet={ConnectionSheet}
      warningOf={({ needs_secret: needsSecret }) =>
        needsSecret ? "The saved secret cannot be decrypted. Edit the connection and enter the secret again." : null
      }
      test={testSavedConnection}
      remove={deleteConnection}
      {...{ factsOf, describeLoss }}
    />
  );
}

/** A connection that only destinations use fetches nothing. */
function mayFetch({ kind, used_by: users }: Connection): boolean {
  return kind === "s3" && (users.length === 0 || users.some(({ type }) => type !== "destination"));
}

/** Until S3 links are on, jobs cannot use them. */
function TurnOnNote({ settings: { source_hosts: hosts } }: { settings: SettingsResponse }) {
  const client = useQueryClient();
  const toast = useToast();
  const { isBusy, run } = useExclusiveAction();
  if (hosts.includes("s3")) return null;

  async function turnOn() {
    try {
      client.setQueryData(settingsKey, await saveSettings({ source_hosts: [...hosts, "s3"] }));
      toast.show({ title: "S3 Links Turned On", description: "Jobs can use s3:// links now.", variant: "success" });
    } catch (error) {
      const reason = error instanceof CallError ? error.message : "Couldn't turn on S3 links";
      toast.show({ title: "Error", description: reason, variant: "destructive" });
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="min-w-0 flex-1 basis-56">
        <WarningNote text="S3 links are turned off, so jobs can't fetch videos through these connections yet." />
      </div>
      <Button size="sm" isBusy={isBusy} onClick={() => void run(turnOn)}>
        Turn on S3 links
      </Button>
    </div>
  );
}

function factsOf(connection: Connection) {
  const { last_used_at: usedAt, used_by: users, used_by_total: total } = connection;
  return [
    <span key="place" className="raw normal-nums">
      {describePlace(connection)}
    </span>,
    connection.kind === "s3" && <Buckets key="buckets" buckets={connection.buckets} />,
    !connection.needs_secret && describeKey(connection),
    usedAt === null ? (
      "Never used"
    ) : (
      <span key="used" {...tooltip(`Last used ${formatWholeDate(usedAt)}`)}>
        Used {formatShortDate(usedAt)}
      </span>
    ),
    total > 0 && (
      <span key="users" {...tooltip(users.map((user) => user.name).join(", "))}>
        Needed by {countUsers(connection)}
      </span>
    ),
  ].filter((fact) => fact !== false);
}

function Buckets({ buckets }: { buckets: string[] }) {
  return (
    <span className="raw normal-nums" {...(buckets.length > 0 && tooltip(buckets.join(", ")))}>
      {describeBuckets(buckets)}
    </span>
  );
}
