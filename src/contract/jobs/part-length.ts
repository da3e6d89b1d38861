import { JOB_LIMITS } from "./job-limits.ts";

/** The shortest part of a video that plays at `speed`: it must play for 0.1 s, too. */
export function leastPartSeconds(speed: number): number {
  return Math.round(JOB_LIMITS.partSeconds * Math.max(1, speed) * 1_000) / 1_000;
}

/** Compares milliseconds: 0.3 - 0.2 is slightly below 0.1. */
export function isShorter(seconds: number, leastSeconds: number): boolean {
  return Math.round(seconds * 1_000) < Math.round(leastSeconds * 1_000);
}
