import { JOB_STATUSES, type Job } from "#contract/jobs.ts";

const KNOWN: readonly string[] = JOB_STATUSES;

/** The words of a job's badge: "Queued #2" with its place in the queue, else the status. An unknown one reads Queued. */
export function statusLabel({ status, queue_position: position }: Pick<Job, "status" | "queue_position">): string {
  if (status !== "Queued" && KNOWN.includes(status)) return status;
  return position === null ? "Queued" : `Queued #${position}`;
}
