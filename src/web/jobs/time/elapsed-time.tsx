import type { Job } from "#contract/jobs/jobs.ts";
import { elapsedSeconds, formatElapsed, useNow } from "./elapsed.ts";

export function ElapsedTime({ job }: { job: Pick<Job, "status" | "processing_started_at" | "updated_at"> }) {
  const seconds = elapsedSeconds(job, useNow(job.status === "Processing"));
  // Tabular figures would separate the two hyphens.
  if (seconds === null) return <span className="normal-nums">{formatElapsed(null)}</span>;
  return formatElapsed(seconds);
}
