import { CircleAlert, CirclePause, CirclePlay, Hourglass, RotateCcw } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import type { Job, JobVideo } from "#contract/jobs/jobs.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { deletionTimeIfSoon } from "../../../jobs/row/kept-files.ts";
import { QueueNote } from "../../../jobs/order/queue-note.tsx";
import { canChangeOrder, isOnHold } from "../../../jobs/order/order-in-queue.ts";
import { useNow } from "../../../jobs/time/elapsed.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { useChangeOrder } from "../../../jobs/order/use-change-order.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { onSingleClick } from "../../../ui/buttons/on-single-click.ts";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { useRetryNow } from "../videos/use-retry-now.ts";
import { groupReasons, type ReasonGroup } from "../videos/video-groups.ts";

const clock = new Intl.DateTimeFormat("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

export function JobNotes({ job, videos }: { job: Job; videos: readonly JobVideo[] }) {
  const groups = useMemo(() => groupReasons(videos), [videos]);
  return (
    <>
      {isOnHold(job) ? (
        <HoldNote job={job} />
      ) : (
        canChangeOrder(job) && <QueueNote className="px-6 pb-4 max-desk:px-4" />
      )}
      <JobMessage job={job} videos={videos} groups={groups} />
      <FilesNote job={job} />
      <ReasonGroups job={job} groups={groups} />
    </>
  );
}

function HoldNote({ job }: { job: Job }) {
  const { changeOrder, isChanging } = useChangeOrder();
  const waiting = job.waiting_videos ?? 0;
  return (
    <div className="mx-6 mb-4 flex items-center gap-3 rounded-2 border border-line bg-raised py-2 pr-2 pl-3 max-desk:mx-4">
      <Icon icon={CirclePause} className="shrink-0 text-queued" />
      <p className="min-w-0 flex-1 text-12 text-ink-2">
        <b className="font-medium text-ink">On hold.</b>{" "}
        {waiting > 0
          ? `${pluralize(waiting, "video")} will wait until you release the job.`
          : "Failed videos won't be retried until you release the job."}
      </p>
      <Button icon={CirclePlay} isBusy={isChanging} onClick={onSingleClick(() => changeOrder(job.id, "release"))}>
        Release
      </Button>
    </div>
  );
}

/** Hidden if a video shows the same message, or if all videos failed for one reason, which is shown instead. */
function JobMessage({
  job,
  videos,
  groups,
}: {
  job: Job;
  videos: readonly JobVideo[];
  groups: readonly ReasonGroup[];
}) {
  const { status, error_message: message } = job;
  if (!message || (status !== "Failed" && status !== "Completed")) return null;
  if (videos.some((video) => video.error_message === message)) return null;
  if (status === "Failed" && groups[0]?.count === videos.length) return null;
  return (
    <div className="px-6 pb-4 max-desk:px-4">
      {status === "Failed" ? <ErrorBox text={message} /> : <WarningNote text={message} />}
    </div>
  );
}

function FilesNote({ job }: { job: Job }) {
  const soon = deletionTimeIfSoon(job, useNow(false));
  if (job.files_deleted_at) {
    return (
      <QuietNote>
        The files of this job were deleted on {formatShortDate(job.files_deleted_at)}. Rerun the job to create them
        again.
      </QuietNote>
    );
  }
  if (soon === null) return null;
  return (
    <QuietNote>The files of this job will be deleted on {formatShortDate(soon)}. Download what you need.</QuietNote>
  );
}

function QuietNote({ children }: { children: ReactNode }) {
  return <p className="px-6 pb-4 text-12 text-ink-3 max-desk:px-4">{children}</p>;
}

function ReasonGroups({ job, groups }: { job: Pick<Job, "id" | "status">; groups: readonly ReasonGroup[] }) {
  const { retry, isRetrying } = useRetryNow();
  if (groups.length === 0 || job.status === "Cancelled" || job.status === "Cancelling") return null;
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
