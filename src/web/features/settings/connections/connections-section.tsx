import { useQueryClient } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Connection, TestConnectionResponse } from "#contract/connections/connections.ts";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { deleteConnection, testSavedConnection } from "../../../api/functions/settings/destinations.ts";
import { saveSettings, settingsKey } from "../../../api/functions/settings/settings.ts";
import { useConnectionList, useConnections } from "../../../connections/use-connections.ts";
import { MetaLine } from "../../../jobs/row/job-row.tsx";
import { formatShortDate, formatWholeDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { RemoveDialog } from "../remove-dialog.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { ConnectionSheet } from "./connection-sheet.tsx";
import { countUsers, describeBuckets, describeKey, describeLoss, describePlace } from "./describe-connection.ts";
import { runTest, TestResult } from "./test-result.tsx";

/** `settings` is undefined while loading. */
export function ConnectionsSection({ settings }: { settings: SettingsResponse | undefined }) {
  const connections = useConnections();
  const [opened, setOpened] = useState<Connection | "new" | null>(null);
  const { data } = connections;
  const add = (
    <Button icon={Plus} onClick={() => setOpened("new")}>
      Add connection
    </Button>
  );
  return (
    <SettingsSection
      title="Connections"
      text="Credentials for external storage. Secrets are stored encrypted and never shown again."
    >
      {connections.isPending && <ConnectionsSkeleton />}
      {connections.isLoadingError && (
        <ErrorState
          title="Couldn't load the connections"
          text={connections.error.message}
          isRetrying={connections.isFetching}
          onRetry={() => void connections.refetch()}
        />
      )}
      {data?.length === 0 && (
        <EmptyState
          title="No connections"
          text="Add one to use files from S3, Dropbox, Google Drive or an SFTP server."
          action={add}
        />
      )}
      {data && data.length > 0 && (
        <>
          {settings && data.some(({ kind }) => kind === "s3") && <TurnOnNote settings={settings} />}
          <ul aria-label="Connections" className="grid min-w-0">
            {data.map((connection) => (
              <ConnectionRow key={connection.id} connection={connection} onEdit={() => setOpened(connection)} />
            ))}
          </ul>
          <div>{add}</div>
        </>
      )}
      <ConnectionSheet opened={opened} connections={data} onClose={() => setOpened(null)} />
    </SettingsSection>
  );
}

function ConnectionsSkeleton() {
  return (
    <div aria-busy className="grid gap-2">
      <Skeleton className="h-4 w-32" />
      <Skeleton className="h-4 w-72 max-w-full" />
    </div>
  );
}

/** Connections are useless until S3 links are on. */
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
        <WarningNote text="S3 links are turned off, so jobs can't use these connections yet." />
      </div>
      <Button size="sm" isBusy={isBusy} onClick={() => void run(turnOn)}>
        Turn on S3 links
      </Button>
    </div>
  );
}

function ConnectionRow({ connection, onEdit }: { connection: Connection; onEdit: () => void }) {
  const { id, name, version } = connection;
  const { isBusy, run } = useExclusiveAction();
  const list = useConnectionList();
  const [result, setResult] = useState<(TestConnectionResponse & { of: number }) | null>(null);
  const [isAsking, setIsAsking] = useState(false);

  async function test() {
    setResult(null);
    setResult({ ...(await runTest(() => testSavedConnection(id))), of: version });
  }
  function askToRemove() {
    setIsAsking(true);
    // Jobs may have started since.
    void list.refetch();
  }
  return (
    <li className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 border-t border-line py-3 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-52">
          <h3 className="font-medium wrap-anywhere text-ink">{name}</h3>
          <MetaLine parts={factsOf(connection)} />
        </div>
        <div className="flex items-center gap-1">
          <Button size="sm" isBusy={isBusy} aria-label={`Test ${name}`} onClick={() => void run(test)}>
            Test
          </Button>
          <IconButton icon={Pencil} label={`Edit ${name}`} onClick={onEdit} />
          <IconButton icon={Trash2} label={`Remove ${name}`} onClick={askToRemove} />
        </div>
      </div>
      {connection.needs_secret && (
        <WarningNote text="The saved secret cannot be decrypted. Edit the connection and enter the secret again." />
      )}
      {/* Hides the result of older fields. */}
      <TestResult result={result?.of === version ? result : null} />
      <RemoveDialog
        noun="connection"
        item={connection}
        loss={describeLoss(connection)}
        onRemove={deleteConnection}
        list={list}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
      />
    </li>
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
