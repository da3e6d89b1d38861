import { JOB_STATUSES, type Job, type JobStatus } from "#contract/jobs/jobs.ts";

/** Returns, for example, "Queued #2" or "Failed". */
export function statusLabel({ status, queue_position: position }: Pick<Job, "status" | "queue_position">): string {
  const shown = shownStatus(status);
  if (shown !== "Queued") return shown;
  return position === null ? "Queued" : `Queued #${position}`;
}

/** Maps unknown statuses to Queued. */
export function shownStatus(status: string): JobStatus {
  return JOB_STATUSES.find((known) => known === status) ?? "Queued";
}
