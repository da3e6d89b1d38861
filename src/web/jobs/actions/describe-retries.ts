import type { Job } from "#contract/jobs/jobs.ts";

/**
 * Returns, for example, "Retry 1/3"; null before the first. The count sums all videos; above one video's limit it
 * stands alone: "Retry 7".
 */
export function describeRetries({ retry_count: count, max_retries: max }: Pick<Job, "retry_count" | "max_retries">) {
  if (count <= 0) return null;
  return count <= max ? `Retry ${count}/${max}` : `Retry ${count}`;
}
