import { CircleStop, Download, X } from "lucide-react";
import { useState } from "react";
import { isFinal, type Job } from "#contract/jobs/jobs.ts";
import { paths } from "../../../app/routing/paths.ts";
import { canCancel } from "../../../jobs/actions/can-cancel.ts";
import { CancelJobDialog } from "../../../jobs/actions/cancel-job-dialog.tsx";
import { useCancelJob } from "../../../jobs/actions/use-cancel-job.ts";
import { useDownloadZip } from "../../../jobs/actions/use-download-zip.ts";
import { NotifySwitch } from "../../../jobs/notifications/notify-switch.tsx";
import { QueueNote } from "../../../jobs/order/queue-note.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { LinkButton } from "../../../ui/buttons/link-button.tsx";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { type Slat, Strip } from "../../../ui/states/strip.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { cardPercent, describeProgress, describeStart } from "./describe-progress.ts";
import type { Sending } from "./use-start-job.ts";

/** Stays until dismissed, or after the job ends until the next edit. */
export function ProgressCard({
  sending,
  job,
  isNextReady,
  onDismiss,
}: {
  sending: Sending | null;
  job: Job | null;
  /** Start is the primary button then. */
  isNextReady: boolean;
  onDismiss: () => void;
}) {
  const shown = sending ? null : job;
  if (!sending && !shown) return null;
  const percent = shown ? cardPercent(shown) : 0;
  const hasEnded = shown !== null && isFinal(shown.status);
  return (
    <section
      aria-label="Progress"
      data-progress-card
      className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-2 border-b border-line px-5 py-4 max-desk:px-4 max-desk:py-3"
    >
      <div className="min-w-0">
        <h2 className="truncate text-14 font-medium">{sending?.name ?? shown?.job_name}</h2>
        <output className="tnum block wrap-anywhere">
          {shown ? describeProgress(shown) : describeStart(sending?.videos ?? 0)}
        </output>
      </div>
      {hasEnded && (
        <IconButton icon={X} label="Dismiss" className="-mr-1.5 self-start max-desk:-mr-3" onClick={onDismiss} />
      )}
      <div className="col-span-2 grid gap-2">
        <Strip
          label="Progress"
          fraction={percent / 100}
          figure={`${percent}%`}
          slats={slatsOf(shown?.total_videos ?? sending?.videos ?? 0, percent)}
        />
        {shown?.error_message && shown.status === "Failed" && <ErrorBox text={shown.error_message} />}
        {shown?.error_message && shown.status === "Completed" && <WarningNote text={shown.error_message} />}
        {shown?.status === "Queued" && <QueueNote />}
        {!hasEnded && (
          <div className="max-desk:hidden">
            <NotifySwitch />
          </div>
        )}
        <ProgressActions key={shown?.id} job={shown} isNextReady={isNextReady} />
      </div>
    </section>
  );
}

/** One slat per video, filled from the left: videos run in parallel, but only total progress is known. */
function slatsOf(videos: number, percent: number): Slat[] {
  const done = (percent / 100) * videos;
  return Array.from({ length: videos }, (_, index): Slat => {
    if (done >= index + 1) return "done";
    return done > index ? { running: done - index } : "todo";
  });
}

/** `job` is null until the server has created it. */
function ProgressActions({ job, isNextReady }: { job: Job | null; isNextReady: boolean }) {
  const cancel = useCancelJob();
  const { download, isFetchingLink } = useDownloadZip();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const [wasDialogOpened, setWasDialogOpened] = useState(false);
  function openDialog() {
    setIsDialogOpen(true);
    setWasDialogOpened(true);
  }
  return (
    <div className="flex flex-wrap gap-x-1.5 gap-y-2 max-desk:*:flex-1">
      {job && (
        <LinkButton to={paths.job} params={{ jobId: job.id }} size="sm" look={isNextReady ? "neutral" : "primary"}>
          Open job
        </LinkButton>
      )}
      {job && canCancel(job) && (
        <Button size="sm" icon={CircleStop} onClick={openDialog}>
          Cancel
        </Button>
      )}
      {job?.download_url && isFinal(job.status) && (
        <Button size="sm" icon={Download} isBusy={isFetchingLink} onClick={() => download(job.id)}>
          Download
        </Button>
      )}
      <LinkButton to={paths.jobHistory} size="sm" look="quiet">
        View Job History
      </LinkButton>
      {job && wasDialogOpened && (
        <CancelJobDialog
          job={job}
          isOpen={isDialogOpen}
          onConfirm={() => cancel(job.id)}
          onClose={() => setIsDialogOpen(false)}
        />
      )}
    </div>
  );
}
