import { X } from "lucide-react";
import { isFinal, type Job } from "#contract/jobs.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Strip, type Slat } from "../../ui/strip.tsx";
import { WarningNote } from "../../ui/warning-note.tsx";
import { paths } from "../../app/paths.ts";
import { describeProgress, describeStart, shownPercent } from "./describe-progress.ts";
import type { Sending } from "./use-start-job.ts";

/** How far the job is that was started last. It stays when the job has ended, until it is dismissed. */
export function ProgressCard({
  sending,
  job,
  onDismiss,
}: {
  sending: Sending | null;
  job: Job | null;
  onDismiss: () => void;
}) {
  const shown = sending ? null : job;
  if (!sending && !shown) return null;
  const percent = shown ? shownPercent(shown) : 0;
  const hasEnded = shown !== null && isFinal(shown.status);
  return (
    <section aria-label="Progress" className="grid gap-2 p-4 desk:px-5">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-14 font-medium">{sending?.name ?? shown?.job_name}</h2>
          <output className="tnum block wrap-anywhere">
            {shown ? describeProgress(shown) : describeStart(sending?.videos ?? 0)}
          </output>
        </div>
        {hasEnded && <IconButton icon={X} label="Dismiss" className="-mt-1 -mr-1.5" onClick={onDismiss} />}
      </div>
      <Strip
        label="Progress"
        fraction={percent / 100}
        figure={`${percent}%`}
        slats={shown ? slatsOf(shown, percent) : []}
      />
      {shown?.error_message && shown.status === "Failed" && <ErrorBox text={shown.error_message} />}
      {shown?.error_message && shown.status === "Completed" && <WarningNote text={shown.error_message} />}
      <div className="flex flex-wrap gap-2">
        <LinkButton to={paths.jobHistory} size="sm">
          View Job History
        </LinkButton>
        {shown && (
          <LinkButton to={paths.job} params={{ jobId: shown.id }} size="sm" look="quiet">
            Open job
          </LinkButton>
        )}
      </div>
    </section>
  );
}

/** One slat per video; none while the counts are missing, which makes the strip one bar. */
function slatsOf({ status, current_video: current, total_videos: total }: Job, percent: number): Slat[] {
  if (status !== "Processing" || !current || !total) return [];
  const done = (percent / 100) * total;
  return Array.from({ length: total }, (_, index): Slat => {
    if (index < current - 1) return "done";
    return index < current ? { running: Math.min(1, Math.max(0, done - index)) } : "todo";
  });
}
