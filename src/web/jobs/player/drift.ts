/** Keeps side-by-side videos on one clock. */

/** Less than half a frame is not noticeable. */
const UNNOTICED_SECONDS = 0.015;
/** Larger drift is corrected by seeking, because catching up would take too long. */
const FAR_SECONDS = 0.3;
/** Maximum deviation from normal speed while catching up. */
const MAX_RATE_CHANGE = 0.15;

/** `isFar`: seek instead of changing the rate. */
export type Correction = { rate: number; isFar: boolean };

/** `driftSeconds`: the video's lead over the clock; negative if it lags. */
export function correctDrift(driftSeconds: number): Correction {
  const distance = Math.abs(driftSeconds);
  if (distance > FAR_SECONDS) return { rate: 1, isFar: true };
  if (distance < UNNOTICED_SECONDS) return { rate: 1, isFar: false };
  const change = Math.min(MAX_RATE_CHANGE, distance);
  return { rate: driftSeconds > 0 ? 1 - change : 1 + change, isFar: false };
}

const USUAL_RATES = [24, 25, 30, 50, 60, 24_000 / 1001, 30_000 / 1001, 60_000 / 1001];
const DEFAULT_RATE = 30;
const SAME_RATE = 0.01;

/** Returns 30 for an implausible time between two frames. */
export function frameRateOf(frameSeconds: number | null): number {
  if (frameSeconds === null || frameSeconds <= 1 / 250 || frameSeconds > 1) return DEFAULT_RATE;
  const rate = 1 / frameSeconds;
  const usual = USUAL_RATES.toSorted((a, b) => Math.abs(a - rate) - Math.abs(b - rate))[0]!;
  return Math.abs(usual / rate - 1) < SAME_RATE ? usual : rate;
}

/**
 * Returns the middle of the frame `by` frames after the one at `seconds`: browsers that seek to a frame's start may show
 * the one before.
 */
export function frameTime(seconds: number, framesPerSecond: number, by = 0): number {
  const frame = Math.floor(seconds * framesPerSecond + 1e-3);
  return (Math.max(0, frame + by) + 0.5) / framesPerSecond;
}
