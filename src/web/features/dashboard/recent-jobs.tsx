import { memo } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { paths } from "../../app/routing/paths.ts";
import { DownloadZipButton } from "../../jobs/actions/download-zip-button.tsx";
import { hasFolder, OpenFolderLink } from "../../jobs/actions/open-folder-link.tsx";
import { isOnHold } from "../../jobs/order/order-in-queue.ts";
import { JobDetail } from "../../jobs/row/job-detail.tsx";
import { JobRowSkeleton } from "../../jobs/row/job-row-skeleton.tsx";
import { JobRow, MetaLine } from "../../jobs/row/job-row.tsx";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { formatPercent } from "../../jobs/status/job-progress.ts";
import { elapsedSeconds, formatElapsed } from "../../jobs/time/elapsed.ts";
import { describeTimeLeft } from "../../jobs/time/time-words.ts";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { EmptyState, OfflineState } from "../../ui/states/empty-state.tsx";

export function RecentJobs({ jobs, isOffline }: { jobs: readonly Job[] | undefined; isOffline: boolean }) {
  return (
    <section aria-labelledby="recent-jobs">
      <div className="flex items-center justify-between px-6 pt-5 pb-2 max-desk:px-4">
        <h2 id="recent-jobs" className="text-14">
          Recent Jobs
        </h2>
        <div className="-mr-2">
          <LinkButton look="quiet" size="sm" to={paths.jobHistory}>
            View All
          </LinkButton>
        </div>
      </div>
      {isOffline ? <OfflineState /> : <RecentJobList jobs={jobs} />}
    </section>
  );
}

function RecentJobList({ jobs }: { jobs: readonly Job[] | undefined }) {
  if (!jobs) {
    return (
      <ul aria-busy className={LIST}>
        {["a", "b", "c"].map((key) => (
          <JobRowSkeleton key={key} className={recentJobColumns} />
        ))}
      </ul>
    );
  }
  if (jobs.length === 0) {
    return (
      <EmptyState
        title="No jobs yet"
        text="Start by processing your first video batch"
        action={<LinkButton to={paths.createJob}>Start Processing</LinkButton>}
      />
    );
  }
  return (
    <ul className={LIST}>
      {jobs.map((job) => (
        <li key={job.id}>
          <RecentJobRow job={job} />
        </li>
      ))}
    </ul>
  );
}

const LIST = "px-3 pb-3 max-desk:px-0 max-desk:pb-8";

const ERROR_CHARACTERS = 100;

const recentJobColumns =
  "desk:grid-cols-[minmax(0,1fr)_112px_minmax(0,300px)_100px_58px] desk:min-h-16 wide:grid-cols-[minmax(0,1fr)_128px_minmax(0,392px)_108px_58px]";

const RecentJobRow = memo(function RecentJobRow({ job }: { job: Job }) {
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
