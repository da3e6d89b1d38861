import { useRef } from "react";
import type { RestingHost } from "#contract/sources/resting-hosts.ts";
import type { SystemResponse } from "#contract/settings/system.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { MetaLine } from "../../../jobs/row/meta-line.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { AccountRow } from "../account/account-row.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { QueueRow } from "./queue-row.tsx";
import { useSystem } from "./use-system.ts";
import { WorkerRow } from "./worker-row.tsx";

export function SystemSection() {
  const card = useRef<HTMLDivElement>(null);
  const system = useSystem(card);
  return (
    <SettingsSection title="System" text="Workers and their queue.">
      <div ref={card} className="grid gap-5">
        {system.isPending && <SystemSkeleton />}
        {system.isLoadingError && (
          <ErrorState
            title="Couldn't load the workers"
            text={system.error.message}
            isRetrying={system.isFetching}
            onRetry={() => void system.refetch()}
          />
        )}
        {system.data && (
          <SystemState system={system.data} staleBecause={system.isError ? system.error.message : null} />
        )}
      </div>
    </SettingsSection>
  );
}

function SystemState({ system, staleBecause }: { system: SystemResponse; staleBecause: string | null }) {
  const { workers, queue, hosts, version } = system;
  return (
    <>
      {staleBecause !== null && <WarningNote text={`This may be out of date. ${staleBecause}`} />}
      <QueueRow queue={queue} />
      {hosts.length > 0 && (
        <AccountRow
          title="External services"
          text="Videos that depend on these services wait and resume automatically."
        >
          <ul aria-label="External services" className="grid gap-1">
            {hosts.map((host) => (
              <li key={host.host}>
                <WarningNote text={`${host.reason} ${describeWaiting(host)}`} />
              </li>
            ))}
          </ul>
        </AccountRow>
      )}
      <AccountRow title="Workers" text={describeWorkers(workers)}>
        {workers.length === 0 ? (
          <EmptyState title="No worker is running" text="Start one with: clipmill worker" />
        ) : (
          <ul aria-label="Workers" className="grid">
            {workers.map((worker) => (
              <WorkerRow
                key={worker.id}
                worker={worker}
                serverVersion={version}
                hasDrainSlot={workers.some(({ canDrain, isLost }) => canDrain && !isLost)}
              />
            ))}
          </ul>
        )}
      </AccountRow>
      <AccountRow
        title="Installation"
        text={
          <MetaLine
            parts={[
              `Clipmill ${version}`,
              system.database === "embedded" ? "Embedded database" : "PostgreSQL",
              system.storage === "s3" ? "S3 file storage" : "Local file storage",
            ]}
          />
        }
      />
    </>
  );
}

function describeWorkers(workers: SystemResponse["workers"]): string {
  const lost = workers.filter((worker) => worker.isLost).length;
  const alive = pluralize(workers.length - lost, "worker");
  return lost === 0 ? `${alive} online.` : `${alive} online, ${lost} lost.`;
}

function describeWaiting({ waitingVideos: count, since }: RestingHost): string {
  return `${pluralize(count, "video")} waiting. Unavailable since ${formatShortDate(since)}.`;
}

function SystemSkeleton() {
  return (
    <div aria-busy className="grid gap-5">
      {["w-24", "w-32"].map((width) => (
        <div key={width} className="grid gap-2">
          <Skeleton className={`h-4 ${width}`} />
          <Skeleton className="h-4 w-full max-w-80" />
        </div>
      ))}
    </div>
  );
}
