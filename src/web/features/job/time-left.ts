import type { Job } from "#contract/jobs.ts";
import { elapsedSeconds, formatElapsed } from "../../jobs/elapsed.ts";

/** Before this much is done and has taken this long, an estimate would jump about. */
const LEAST_PERCENT = 2;
const LEAST_SECONDS = 3;

type Timed = Pick<Job, "status" | "progress" | "processing_started_at" | "updated_at">;

/** How long a job still takes, or took: a label and a few words. */
export function describeTime(job: Timed, nowMs: number): { label: string; text: string } {
  const elapsed = elapsedSeconds(job, nowMs);
  switch (job.status) {
    case "Processing":
      return { label: "Time left", text: describeSeconds(secondsLeft(job.progress, elapsed)) };
    case "Cancelling":
      return { label: "Time left", text: "Stopping" };
    case "Completed":
      return { label: "Finished in", text: formatElapsed(elapsed) };
    case "Failed":
      return { label: "Failed after", text: formatElapsed(elapsed) };
    case "Cancelled":
      return elapsed === null
        ? { label: "Cancelled", text: "Before it started" }
        : { label: "Cancelled after", text: formatElapsed(elapsed) };
    case "Queued":
      return { label: "Time left", text: "Waiting" };
  }
}

/** Seconds left when it goes on as it went so far; null while too little is done to tell. `progress` is 0-100. */
export function secondsLeft(progress: number, elapsed: number | null): number | null {
  if (elapsed === null || elapsed < LEAST_SECONDS || progress < LEAST_PERCENT) return null;
  return (elapsed * (100 - progress)) / progress;
}

/** Seconds in words that do not pretend to know better. */
export function describeSeconds(seconds: number | null): string {
  if (seconds === null) return "Not known yet";
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return "Less than a minute";
  if (minutes < 60) return `About ${minutes} min`;
  const inFives = Math.round(minutes / 5) * 5;
  const rest = inFives % 60;
  return rest === 0 ? `About ${inFives / 60} h` : `About ${Math.floor(inFives / 60)} h ${rest} min`;
}
