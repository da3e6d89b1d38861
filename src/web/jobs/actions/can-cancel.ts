import type { Job } from "#contract/jobs/jobs.ts";

/** Returns true for jobs that can be canceled. */
export function canCancel({ status }: Pick<Job, "status">): boolean {
  return status === "Queued" || status === "Processing";
}
