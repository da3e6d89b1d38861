import { memo, type ReactNode } from "react";
import type { Job } from "#contract/jobs.ts";
import { countWords } from "../../jobs/count-words.ts";
import { ElapsedTime } from "../../jobs/elapsed-time.tsx";
import { JobDetail } from "../../jobs/job-detail.tsx";
import { formatPercent } from "../../jobs/job-progress.ts";
import { JobRow } from "../../jobs/job-row.tsx";
import { MetaLine } from "../../jobs/meta-line.tsx";
import { retryWords } from "../../jobs/retry-words.ts";
import { timeLeftWords } from "../../jobs/time-words.ts";
import { JobActions } from "./job-actions.tsx";

const ERROR_CHARACTERS = 200;

export const historyColumns =
  "desk:grid-cols-[minmax(0,1fr)_112px_minmax(0,240px)_100px_88px] wide:grid-cols-[minmax(0,1fr)_112px_minmax(0,328px)_64px_100px_88px]";

/** A job card of the history. */
export const HistoryRow = memo(function HistoryRow({ job }: { job: Job }) {
  return (
    <JobRow
      job={job}
      className={historyColumns}
      meta={<MetaLine parts={summarise(job)} />}
      detail={
        <JobDetail job={job} mostCharacters={ERROR_CHARACTERS}>
          <QuietProgress job={job} />
        </JobDetail>
      }
      elapsed={<ElapsedTime job={job} />}
      actions={<JobActions job={job} />}
    />
  );
});

function QuietProgress({ job }: { job: Job }) {
  const percent = formatPercent(job.progress);
  return job.status === "Cancelled" && job.error_message ? `${percent} · ${job.error_message}` : percent;
}

function summarise(job: Job): ReactNode[] {
  const parts: ReactNode[] = [countWords(job.total_videos, "video"), countWords(job.variants_per_video, "variant")];
  if (job.audio_enabled) parts.push(job.audio_mode === "mix" ? "Mix audio" : "Replace audio");
  const timeLeft = timeLeftWords(job);
  if (timeLeft) parts.push(timeLeft);
  const retries = retryWords(job);
  if (retries) parts.push(<b className="font-medium text-ink-2">{retries}</b>);
  return parts;
}
