import { JOB_STATUSES, type Job, type JobStatus } from "#contract/jobs/jobs.ts";

/** Returns "Queued #2" with the place in the queue, otherwise the status. */
export function statusLabel({ status, queue_position: position }: Pick<Job, "status" | "queue_position">): string {
  const shown = shownStatus(status);
  if (shown !== "Queued") return shown;
  return position === null ? "Queued" : `Queued #${position}`;
}

/** Maps an unknown status to Queued. */
export function shownStatus(status: string): JobStatus {
  return JOB_STATUSES.find((known) => known === status) ?? "Queued";
}
