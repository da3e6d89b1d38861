import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";

export type FinishedVideo = Pick<JobVideo, "id" | "started_at" | "ended_at">;
export type FinishedOutput = Pick<JobOutput, "duration_seconds" | "size_bytes">;

/** `speed`: seconds of output per second of work, across all workers. */
export type MeasuredWork = { speed: number; bytesPerSecond: number };

/** Less work is not a reliable sample. */
const LEAST_SECONDS = 1;

/** Ignores idle time between videos. Returns null with too little work. */
export function measureWork(videos: readonly FinishedVideo[], outputs: readonly FinishedOutput[]): MeasuredWork | null {
  const workSeconds = secondsCovered(videos);
  const mediaSeconds = sum(outputs.map((output) => output.duration_seconds ?? 0));
  if (workSeconds < LEAST_SECONDS || mediaSeconds < LEAST_SECONDS) return null;
  const bytes = sum(outputs.map((output) => output.size_bytes ?? 0));
  return { speed: mediaSeconds / workSeconds, bytesPerSecond: bytes / mediaSeconds };
}

/** Counts overlapping times once. */
function secondsCovered(videos: readonly FinishedVideo[]): number {
  const spans = videos
    .flatMap(({ started_at: start, ended_at: end }) =>
      start && end ? [[Date.parse(start), Date.parse(end)] as const] : [],
    )
    .toSorted(([a], [b]) => a - b);
  let [covered, until] = [0, -Infinity];
  for (const [start, end] of spans) {
    covered += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return covered / 1_000;
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
