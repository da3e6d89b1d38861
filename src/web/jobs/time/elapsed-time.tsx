import { elapsedSeconds, formatElapsed, type Timed, useNow } from "./elapsed.ts";

export function ElapsedTime({ job }: { job: Timed }) {
  const seconds = elapsedSeconds(job, useNow(job.status === "Processing" && !job.awaiting_since));
  // Tabular figures would separate the two hyphens.
  if (seconds === null) return <span className="normal-nums">{formatElapsed(null)}</span>;
  return formatElapsed(seconds);
}
