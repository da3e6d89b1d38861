import { memo } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { DownloadZipButton } from "../../jobs/actions/download-zip-button.tsx";
import { elapsedSeconds, formatElapsed } from "../../jobs/time/elapsed.ts";
import { JobDetail } from "../../jobs/row/job-detail.tsx";
import { formatPercent } from "../../jobs/status/job-progress.ts";
import { JobRow } from "../../jobs/row/job-row.tsx";
import { isOnHold } from "../../jobs/order/order-in-queue.ts";
import { MetaLine } from "../../jobs/row/meta-line.tsx";
import { describeTimeLeft } from "../../jobs/time/time-words.ts";
import { hasFolder, OpenFolderLink } from "../../jobs/actions/open-folder-link.tsx";

const ERROR_CHARACTERS = 100;

export const recentJobColumns =
  "desk:grid-cols-[minmax(0,1fr)_112px_minmax(0,300px)_100px_58px] desk:min-h-16 wide:grid-cols-[minmax(0,1fr)_128px_minmax(0,392px)_108px_58px]";

export const RecentJobRow = memo(function RecentJobRow({ job }: { job: Job }) {
  return (
    <JobRow
      job={job}
      className={recentJobColumns}
      meta={<MetaLine parts={summarize(job)} />}
      detail={
        <JobDetail job={job} maxCharacters={ERROR_CHARACTERS}>
          {shortStatus(job)}
        </JobDetail>
      }
      actions={
        <>
          {hasFolder(job) && <OpenFolderLink jobId={job.id} />}
          {job.download_url && <DownloadZipButton jobId={job.id} />}
        </>
      }
    />
  );
});

function summarize(job: Job): string[] {
  const counts = [pluralize(job.total_videos, "video"), pluralize(job.variants_per_video, "variant")];
  const timeLeft = describeTimeLeft(job);
  return timeLeft ? [...counts, timeLeft] : counts;
}

function shortStatus(job: Job): string {
  switch (job.status) {
    case "Completed":
      return `Done in ${formatElapsed(elapsedSeconds(job, Date.now()))}`;
    case "Cancelling":
      return formatPercent(job.progress);
    case "Cancelled":
    case "Failed":
      return job.error_message ?? "";
    case "Queued":
    case "Processing":
      return isOnHold(job) ? "Starts when you release it" : "Waiting in the queue";
  }
}
