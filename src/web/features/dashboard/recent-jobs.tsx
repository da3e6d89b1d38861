import type { Job } from "#contract/jobs/jobs.ts";
import { paths } from "../../app/routing/paths.ts";
import { JobRowSkeleton } from "../../jobs/row/job-row-skeleton.tsx";
import { OfflineState, EmptyState } from "../../ui/states/empty-state.tsx";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { RecentJobRow, recentJobColumns } from "./recent-job-row.tsx";

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
