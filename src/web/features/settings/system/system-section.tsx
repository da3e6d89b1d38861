import { useQuery } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { QueueState, SystemResponse } from "#contract/settings/system.ts";
import type { HostCooldown } from "#contract/sources/cooldowns.ts";
import { loadSystem, systemKeys } from "../../../api/functions/settings/settings.ts";
import { describeClaiming } from "../../../jobs/order/describe-claiming.ts";
import { useSteerSystem } from "../../../jobs/order/use-claiming.ts";
import { MetaLine } from "../../../jobs/row/job-row.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { onSingleClick } from "../../../ui/buttons/on-single-click.ts";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { AccountRow } from "../account/account-row.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { describeQueue } from "./describe-worker.ts";
import { WorkerRow } from "./worker-row.tsx";

export function SystemSection() {
  const card = useRef<HTMLDivElement>(null);
  const system = useSystem(useIsOnScreen(card));
  return (
    <SettingsSection hash="system" text="Workers and their queue.">
      <div ref={card} className="grid gap-5">
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

function describeWaiting({ waitingVideos: count, since }: HostCooldown): string {
  return `${pluralize(count, "video")} waiting. Unavailable since ${formatShortDate(since)}.`;
}

const REFRESH_MS = 2_000;

/** Polls every two seconds while the card is on the screen. */
export function useSystem(isOnScreen = false) {
  return useQuery({
    queryKey: systemKeys.card,
    queryFn: ({ signal }) => loadSystem(signal),
    refetchInterval: isOnScreen && REFRESH_MS,
    retry: false,
  });
}

function useIsOnScreen(element: RefObject<Element | null>): boolean {
  const [isOnScreen, setIsOnScreen] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) => setIsOnScreen(entries.at(-1)!.isIntersecting));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isOnScreen;
}

function QueueRow({ queue }: { queue: QueueState }) {
  const { mutate, isPending } = useSteerSystem();
  const pause = queue.isPaused ? describeClaiming({ ...queue, workers: 0, takingWorkers: 0 }) : null;
  return (
    <AccountRow
      title="Queue"
      text={<span className="tnum">{describeQueue(queue)}</span>}
      action={
        queue.isPaused ? (
          <Button icon={Play} isBusy={isPending} onClick={onSingleClick(() => mutate({ action: "resume-queue" }))}>
            Resume queue
          </Button>
        ) : (
          <Button icon={Pause} isBusy={isPending} onClick={onSingleClick(() => mutate({ action: "pause-queue" }))}>
            Pause queue
          </Button>
        )
      }
    >
      {pause && <WarningNote text={`${pause.title} ${pause.text}`} />}
    </AccountRow>
  );
}
