import type { Job } from "#contract/jobs/jobs.ts";

/** Returns false for ended jobs and for those that are already Cancelling. */
export function canCancel({ status }: Pick<Job, "status">): boolean {
  return status === "Queued" || status === "Processing";
}
