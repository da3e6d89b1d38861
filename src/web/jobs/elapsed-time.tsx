import type { Job } from "#contract/jobs.ts";
import { elapsedSeconds, formatElapsed } from "./elapsed.ts";
import { useNow } from "./seconds-clock.ts";

/** How long a job has taken; ticks while it is processing. */
export function ElapsedTime({ job }: { job: Pick<Job, "status" | "processing_started_at" | "updated_at"> }) {
  return formatElapsed(elapsedSeconds(job, useNow(job.status === "Processing")));
}
