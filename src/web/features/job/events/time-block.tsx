import { RotateCcw } from "lucide-react";
import { isFinal, type Job, type JobVideo } from "#contract/jobs/jobs.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { formatPercent, shownPercent } from "../../../jobs/status/job-progress.ts";
import { NotifySwitch } from "../../../jobs/notifications/notify-switch.tsx";
import { useNow } from "../../../jobs/time/elapsed.ts";
import { canRetry, useRetryJob } from "../../../jobs/actions/use-retry-job.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Strip } from "../../../ui/states/strip.tsx";
import { countFiles, fileSlats } from "../outputs/file-counts.ts";
import type { OutputsByVideo } from "../outputs/outputs-by-video.ts";
import { describeTime } from "./time-left.ts";

/** Above this many files, the strip is a single bar. */
const MOST_SLATS = 48;

export function TimeBlock({
  job,
  videos,
  outputs,
}: {
  job: Job;
  videos: readonly JobVideo[];
  outputs: OutputsByVideo;
}) {
  const percent = shownPercent(job);
  const counts = countFiles(job, videos, outputs);
  const remaining = pluralize(counts.toDo, "file");
  return (
    <section className="px-5 py-4 max-desk:-order-1 max-desk:border-t max-desk:border-line max-desk:px-4">
      <TimeWords job={job} />
      <div className="my-3">
        <Strip
          label="Progress"
          fraction={percent / 100}
          figure={formatPercent(percent)}
          slats={fileSlats(job, videos, outputs, MOST_SLATS)}
          isTall
        />
      </div>
      <dl className="grid gap-1.5 text-12">
        <LegendLine name="Done" color="bg-accent" value={pluralize(counts.done, "file")} />
        {(counts.failed > 0 || !isFinal(job.status)) && (
          <LegendLine name="Failed" color="bg-failed" value={pluralize(counts.failed, "file")} />
        )}
        {(counts.toDo > 0 || !isFinal(job.status)) && (
          <LegendLine
            name={isFinal(job.status) ? "Not created" : "Remaining"}
            color="bg-slat"
            value={counts.isExact ? remaining : `about ${remaining}`}
          />
        )}
      </dl>
      <RetryFailed job={job} />
      {!isFinal(job.status) && (
        <div className="mt-4">
          <NotifySwitch />
        </div>
      )}
    </section>
  );
}

function RetryFailed({ job }: { job: Job }) {
  const { retry, isRetrying } = useRetryJob();
  if (!canRetry(job)) return null;
  return (
    <div className="mt-4 grid">
      <Button icon={RotateCcw} isBusy={isRetrying} onClick={() => retry(job.id)}>
        Retry failed
      </Button>
    </div>
  );
}

function TimeWords({ job }: { job: Job }) {
  const { label, text, note } = describeTime(job, useNow(job.status === "Processing" && !job.awaiting_since));
  return (
    <>
      <h2 className="text-12 font-normal text-ink-3">{label}</h2>
      <p className={`text-28 font-semibold text-ink ${text === "--" ? "" : "tnum"}`}>{text}</p>
      {note !== null && <p className="tnum text-12 text-ink-2">{note}</p>}
    </>
  );
}

function LegendLine({ name, color, value }: { name: string; color: string; value: string }) {
  return (
    <div className="flex justify-between">
      <dt className="flex items-center gap-2">
        <span aria-hidden className={`h-2.5 w-1 rounded-[1.5px] ${color}`} />
        {name}
      </dt>
      <dd className="tnum font-medium text-ink">{value}</dd>
    </div>
  );
}
