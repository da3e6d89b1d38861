import { CircleAlert, Hourglass, RotateCcw } from "lucide-react";
import type { Job, JobVideo } from "#contract/jobs/jobs.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { useNow } from "../../../jobs/time/elapsed.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { onSingleClick } from "../../../ui/buttons/on-single-click.ts";
import { useRetryNow } from "./use-retry-now.ts";
import { groupReasons, type ReasonGroup } from "./video-groups.ts";

const clock = new Intl.DateTimeFormat("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

export function ReasonGroups({ job, videos }: { job: Pick<Job, "id" | "status">; videos: readonly JobVideo[] }) {
  const { retry, isRetrying } = useRetryNow();
  const groups = job.status === "Cancelled" || job.status === "Cancelling" ? [] : groupReasons(videos);
  if (groups.length === 0) return null;
  return (
    <ul aria-label="Reasons" className="mx-6 mb-4 grid rounded-2 border border-line bg-raised max-desk:mx-4">
      {groups.map((group) => (
        <GroupRow
          key={`${group.kind} ${group.reason}`}
          group={group}
          isBusy={isRetrying(group.reason)}
          onRetry={() => retry({ jobId: job.id, reason: group.reason })}
        />
      ))}
    </ul>
  );
}

function GroupRow({ group, isBusy, onRetry }: { group: ReasonGroup; isBusy: boolean; onRetry: () => void }) {
  const { kind, reason, count } = group;
  const now = useNow(kind === "waiting");
  const isFailed = kind === "failed";
  return (
    <li className="flex items-center gap-3 border-t border-line py-2 pr-2 pl-3 first:border-t-0">
      <Icon
        icon={isFailed ? CircleAlert : Hourglass}
        className={`shrink-0 ${isFailed ? "text-failed" : "text-queued"}`}
      />
      <p className="min-w-0 flex-1 text-12 wrap-anywhere text-ink-2">
        <b className="font-medium text-ink">{pluralize(count, "video")}:</b> {reason}
        {!isFailed && <span className="text-ink-3"> {describeNextTry(group.nextTryAt, now)}</span>}
      </p>
      <Button size="sm" icon={RotateCcw} isBusy={isBusy} onClick={onSingleClick(onRetry)}>
        {isFailed ? "Retry" : "Try now"}
      </Button>
    </li>
  );
}

function describeNextTry(nextTryAt: string | null, nowMs: number): string {
  if (nextTryAt === null || Date.parse(nextTryAt) <= nowMs) return "Retrying now.";
  return `Next try around ${clock.format(new Date(nextTryAt))}.`;
}
