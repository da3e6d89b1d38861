import type { Job } from "#contract/jobs/jobs.ts";

type Waiting = Pick<Job, "status" | "held_at" | "waiting_videos">;

/** True while none of the job's waiting videos is begun. An ended job is not on hold, whatever it was before. */
export function isOnHold({ status, held_at: heldAt }: Pick<Job, "status" | "held_at">): boolean {
  return heldAt !== null && (status === "Queued" || status === "Processing");
}

/** True for jobs with videos that wait for their turn: they can be moved to the front, or put on hold. */
export function canWaitOtherwise(job: Waiting): boolean {
  return !isOnHold(job) && (job.status === "Queued" || job.status === "Processing") && (job.waiting_videos ?? 0) > 0;
}
