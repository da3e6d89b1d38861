import type { JobOutput, JobVideo, Quality } from "#contract/jobs/jobs.ts";

export type FinishedVideo = Pick<JobVideo, "id" | "started_at" | "ended_at">;
export type FinishedOutput = Pick<JobOutput, "duration_seconds" | "size_bytes">;

/**
 * `speed`: seconds of output in standard quality per second of work on one video; `parallel`: videos at the same time, across all workers. A
 * job of one video does not use all of them, so its speed alone says little about a job of many.
 */
export type MeasuredWork = { speed: number; parallel: number; bytesPerSecond: number };

/** Time relative to standard quality; measured on two cores. */
export const QUALITY_COST: Record<Quality, number> = { draft: 0.7, standard: 1, high: 2 };

/** Less work is not a reliable sample. */
const LEAST_SECONDS = 1;

/**
 * Ignores idle time between videos. Returns null with too little work. `capacity`: videos that the workers process at the
 * same time; null if unknown.
 */
export function measureWork(
  videos: readonly FinishedVideo[],
  outputs: readonly FinishedOutput[],
  capacity: number | null = null,
): MeasuredWork | null {
  const spans = spansOf(videos);
  const workSeconds = sum(spans.map(([start, end]) => end - start)) / 1_000;
  const mediaSeconds = sum(outputs.map((output) => output.duration_seconds ?? 0));
  if (workSeconds < LEAST_SECONDS || mediaSeconds < LEAST_SECONDS) return null;
  const bytes = sum(outputs.map((output) => output.size_bytes ?? 0));
  const parallel = capacity ?? Math.max(1, workSeconds / secondsCovered(spans));
  return { speed: mediaSeconds / workSeconds, parallel, bytesPerSecond: bytes / mediaSeconds };
}

/** Returns when each video started and ended, in milliseconds. */
function spansOf(videos: readonly FinishedVideo[]): (readonly [number, number])[] {
  return videos
    .flatMap(({ started_at: start, ended_at: end }) =>
      start && end ? [[Date.parse(start), Date.parse(end)] as const] : [],
    )
    .toSorted(([a], [b]) => a - b);
}

/** Counts overlapping times once. */
function secondsCovered(spans: readonly (readonly [number, number])[]): number {
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
