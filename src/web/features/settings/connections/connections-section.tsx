import { Plus } from "lucide-react";
import { useState } from "react";
import type { Connection } from "#contract/connections/connections.ts";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { ConnectionRow } from "./connection-row.tsx";
import { ConnectionSheet } from "./connection-sheet.tsx";
import { TurnOnNote } from "./turn-on-note.tsx";
import { useConnections } from "../../../connections/use-connections.ts";

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
