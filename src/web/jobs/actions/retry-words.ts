import type { Job } from "#contract/jobs/jobs.ts";

/**
 * Returns "Retry 1/3" after the first retry, else null. The count sums the retries of all videos, so above one video's
 * limit it stands alone: "Retry 7".
 */
export function retryWords({ retry_count: count, max_retries: max }: Pick<Job, "retry_count" | "max_retries">) {
  if (count <= 0) return null;
  return count <= max ? `Retry ${count}/${max}` : `Retry ${count}`;
}
