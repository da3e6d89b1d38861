import type { Job } from "#contract/jobs/jobs.ts";
import { pluralize } from "./pluralize.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ANNOUNCED_BEFORE_MS = 3 * DAY_MS;

type Kept = Pick<Job, "files_deleted_at" | "files_kept_until">;

/** Returns null unless the deletion is near. */
export function deletionTimeIfSoon(
  { files_kept_until: until }: Pick<Kept, "files_kept_until">,
  nowMs: number,
): string | null {
  return until !== null && Date.parse(until) - nowMs <= ANNOUNCED_BEFORE_MS ? until : null;
}

export function describeKeptFiles(job: Kept, nowMs: number): string | null {
  if (job.files_deleted_at) return "Files deleted";
  const until = deletionTimeIfSoon(job, nowMs);
  if (until === null) return null;
  const leftMs = Date.parse(until) - nowMs;
  if (leftMs <= HOUR_MS) return "Files will be deleted within the hour";
  if (leftMs < DAY_MS) return `Files will be deleted in ${pluralize(Math.floor(leftMs / HOUR_MS), "hour")}`;
  return `Files will be deleted in ${pluralize(Math.round(leftMs / DAY_MS), "day")}`;
}
