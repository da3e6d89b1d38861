import { CirclePause, CirclePlay } from "lucide-react";
import type { ReactNode } from "react";
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

export function JobNotes({ job, videos }: { job: Job; videos: readonly JobVideo[] }) {
  return (
    <>
      {isOnHold(job) ? (
        <HoldNote job={job} />
      ) : (
        canChangeOrder(job) && <QueueNote className="px-6 pb-4 max-desk:px-4" />
      )}
      <JobMessage job={job} videos={videos} />
      <FilesNote job={job} />
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

/** Hidden if a video shows the same message. */
function JobMessage({ job, videos }: { job: Job; videos: readonly JobVideo[] }) {
  const { status, error_message: message } = job;
  if (!message || (status !== "Failed" && status !== "Completed")) return null;
  if (videos.some((video) => video.error_message === message)) return null;
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
