import type { JobOutput, JobVideo } from "../jobs.ts";
import type { Work } from "./count-work.ts";

export type FinishedVideo = Pick<JobVideo, "id" | "started_at" | "ended_at">;
export type FinishedOutput = Pick<JobOutput, "duration_seconds" | "size_bytes">;

/** `speed`: work per second of one encode (`countWork`); `encodes`: how many the workers run at the same time. */
export type MeasuredWork = { speed: number; encodes: number; bytesPerSecond: number };

/** Less work is not a reliable sample. */
const LEAST_SECONDS = 1;
/** WORKER_CONCURRENCY on machines with up to five cores. */
const USUAL_CAPACITY = 2;

/**
 * Ignores idle time between videos. Returns null with too little work. `capacity`: videos that the workers process at the
 * same time; null if unknown.
 */
export function measureWork(
  videos: readonly FinishedVideo[],
  outputs: readonly FinishedOutput[],
  work: Work | null,
  capacity: number | null = null,
): MeasuredWork | null {
  const workSeconds = secondsCovered(spansOf(videos));
  const mediaSeconds = sum(outputs.map((output) => output.duration_seconds ?? 0));
  if (!work || workSeconds < LEAST_SECONDS || mediaSeconds < LEAST_SECONDS) return null;
  const bytes = sum(outputs.map((output) => output.size_bytes ?? 0));
  // An encode also decodes and draws, on other cores.
  const encodes = Math.max(1, (capacity ?? USUAL_CAPACITY) - 1);
  const speed = work.seconds / workSeconds / Math.min(encodes, work.encodes);
  return { speed, encodes, bytesPerSecond: bytes / mediaSeconds };
}

/** A job with few pictures leaves some cores idle. */
export function forecastSeconds(work: Work, { speed, encodes }: MeasuredWork): number {
  return work.seconds / (speed * Math.min(encodes, work.encodes));
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
