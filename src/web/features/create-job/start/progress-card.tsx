import { X } from "lucide-react";
import { isFinal, type Job } from "#contract/jobs/jobs.ts";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { Strip, type Slat } from "../../../ui/states/strip.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { QueueNote } from "../../../jobs/order/queue-note.tsx";
import { NotifySwitch } from "../../../jobs/notifications/notify-switch.tsx";
import { cardPercent, describeProgress, describeStart } from "./describe-progress.ts";
import { ProgressActions } from "./progress-actions.tsx";
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
