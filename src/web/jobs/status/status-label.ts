import { JOB_STATUSES, type Job, type JobStatus } from "#contract/jobs/jobs.ts";

/**
 * Returns a badge's text: "Queued #2" with the place in the queue, otherwise the status. An unknown one reads Queued.
 */
export function statusLabel({ status, queue_position: position }: Pick<Job, "status" | "queue_position">): string {
  const shown = shownStatus(status);
  if (shown !== "Queued") return shown;
  return position === null ? "Queued" : `Queued #${position}`;
}

/** Returns the status to show; Queued for an unknown one. */
export function shownStatus(status: string): JobStatus {
  return JOB_STATUSES.find((known) => known === status) ?? "Queued";
}
