/** How fast a job gets on: percent of it a second. */

/** A measurement; `speed` is null until two moments are known. */
export type Speed = { speed: number | null; measuredAtMs: number; progress: number };

/** Moments closer than this say little. */
const SHORTEST_SECONDS = 2;
/** After a longer silence nothing ran: what lies between says nothing about speed. */
const LONGEST_SECONDS = 60;
/** How far back the average reaches, so that a change of load shows within half a minute. */
const AVERAGED_SECONDS = 20;

/** The measurement after the job has come to `progress` (0-100): the one before where too little time has passed. */
export function measureSpeed(before: Speed | null, progress: number, nowMs: number): Speed {
  if (!before) return { speed: null, measuredAtMs: nowMs, progress };
  const seconds = (nowMs - before.measuredAtMs) / 1000;
  if (seconds < SHORTEST_SECONDS) return before;
  if (seconds > LONGEST_SECONDS) return { speed: before.speed, measuredAtMs: nowMs, progress };
  const current = (progress - before.progress) / seconds;
  const weight = before.speed === null ? 1 : 1 - Math.exp(-seconds / AVERAGED_SECONDS);
  const speed = (before.speed ?? 0) + weight * (current - (before.speed ?? 0));
  return { speed, measuredAtMs: nowMs, progress };
}
