import type { Job } from "#contract/jobs/jobs.ts";

export function canCancel({ status }: Pick<Job, "status">): boolean {
  return status === "Queued" || status === "Processing";
}
