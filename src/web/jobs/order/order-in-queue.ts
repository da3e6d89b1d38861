import type { Job } from "#contract/jobs/jobs.ts";

type Waiting = Pick<Job, "status" | "held_at" | "waiting_videos"> & Partial<Pick<Job, "awaiting_approval">>;

/** Returns false for ended jobs, even if they were held. */
export function isOnHold({ status, held_at: heldAt }: Pick<Job, "status" | "held_at">): boolean {
  return heldAt !== null && (status === "Queued" || status === "Processing");
}

/** Returns true if the job has waiting videos that can be moved to the front or held. */
export function canChangeOrder(job: Waiting): boolean {
  const isWaiting = (job.status === "Queued" || job.status === "Processing") && (job.waiting_videos ?? 0) > 0;
  return isWaiting && !isOnHold(job) && !job.awaiting_approval;
}
