import type { Job } from "#contract/jobs.ts";

/** True for jobs that may be cancelled. */
export function canCancel({ status }: Pick<Job, "status">): boolean {
  return status === "Queued" || status === "Processing";
}
