/** `speed` is in percent of progress per second; null until there are two measurements. */
export type Speed = { speed: number | null; measuredAtMs: number; progress: number };

/** Shorter intervals are too inaccurate. */
const MIN_SECONDS = 2;
/** Nothing ran in a longer gap, so it does not count. */
const MAX_SECONDS = 60;
/** Time constant: a change of load shows within half a minute. */
const AVERAGED_SECONDS = 20;

/** `progress` is 0 to 100. Returns `before` if too little time has passed. */
export function measureSpeed(before: Speed | null, progress: number, nowMs: number): Speed {
  if (!before) return { speed: null, measuredAtMs: nowMs, progress };
  const seconds = (nowMs - before.measuredAtMs) / 1000;
  if (seconds < MIN_SECONDS) return before;
  if (seconds > MAX_SECONDS) return { speed: before.speed, measuredAtMs: nowMs, progress };
  const current = (progress - before.progress) / seconds;
  const weight = before.speed === null ? 1 : 1 - Math.exp(-seconds / AVERAGED_SECONDS);
  const speed = (before.speed ?? 0) + weight * (current - (before.speed ?? 0));
  return { speed, measuredAtMs: nowMs, progress };
}
