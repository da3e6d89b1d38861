import { JOB_STATUSES, type Job, type JobStatus } from "#contract/jobs/jobs.ts";

/** The words of a job's badge: "Queued #2" with its place in the queue, else the status. An unknown one reads Queued. */
export function statusLabel({ status, queue_position: position }: Pick<Job, "status" | "queue_position">): string {
  const shown = shownStatus(status);
  if (shown !== "Queued") return shown;
  return position === null ? "Queued" : `Queued #${position}`;
}

/** The status as it is shown: one that is unknown here counts as Queued. */
export function shownStatus(status: string): JobStatus {
  return JOB_STATUSES.find((known) => known === status) ?? "Queued";
}
