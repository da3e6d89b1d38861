import type { Job } from "#contract/jobs.ts";
import { JobRowSkeleton } from "../../jobs/job-row-skeleton.tsx";
import { asCancelling, useCancellingIds } from "../../jobs/use-cancel-job.ts";
import { HistoryRow, historyColumns } from "./history-row.tsx";

const SKELETONS = ["a", "b", "c", "d", "e"];

/** The loaded cards. */
export function HistoryList({ jobs }: { jobs: readonly Job[] }) {
  const cancelling = useCancellingIds();
  return (
    <ul className={LIST}>
      {jobs.map((job) => (
        <HistoryRow key={job.id} job={cancelling.has(job.id) ? asCancelling(job) : job} />
      ))}
    </ul>
  );
}

/** Five cards in the shape of what is being loaded. */
export function HistorySkeleton() {
  return (
    <ul aria-busy aria-label="Loading jobs" className={LIST}>
      {SKELETONS.map((key) => (
        <JobRowSkeleton key={key} className={historyColumns} hasElapsed />
      ))}
    </ul>
  );
}

/** The columns' names, where there are columns. */
export function HistoryHead() {
  return (
    <div
      className={`mx-6 grid gap-x-4 border-b border-line pb-1.5 text-11 font-medium text-ink-3 max-desk:hidden ${historyColumns}`}
    >
      <span>Job</span>
      <span>Status</span>
      <span>Progress</span>
      <span className="text-right max-wide:hidden">Elapsed</span>
      <span className="text-right">Created</span>
    </div>
  );
}

const LIST = "px-3 pb-3 max-desk:px-0 max-desk:pb-4";
