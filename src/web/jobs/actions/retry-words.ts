import type { Job } from "#contract/jobs/jobs.ts";

/**
 * "Retry 1/3" once something of the job was tried again, else null. Each video has its own tries and the count is the
 * sum of all, so above the limit of one it stands alone: "Retry 7".
 */
export function retryWords({ retry_count: count, max_retries: most }: Pick<Job, "retry_count" | "max_retries">) {
  if (count <= 0) return null;
  return count <= most ? `Retry ${count}/${most}` : `Retry ${count}`;
}
