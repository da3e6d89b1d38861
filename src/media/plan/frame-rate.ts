/** A fraction, so that times match frames exactly. */

export type FrameRate = { numerator: number; denominator: number };

const MAX_FRAMES_PER_SECOND = 60;
/** Broadcast rates are a thousandth below the integer. */
const BROADCAST_RATES = [24, 30, 48, 60];

/** Limits the rate to 1 to 60. */
export function outputFrameRate(sourceFramesPerSecond: number): FrameRate {
  const rate = Math.min(MAX_FRAMES_PER_SECOND, Math.max(1, sourceFramesPerSecond));
  const broadcast = BROADCAST_RATES.find((whole) => Math.abs(rate - whole / 1.001) < 0.002);
  if (broadcast) return { numerator: broadcast * 1_000, denominator: 1_001 };
  return Number.isInteger(rate)
    ? { numerator: rate, denominator: 1 }
    : { numerator: Math.round(rate * 1_000), denominator: 1_000 };
}

export function framesIn(seconds: number, rate: FrameRate): number {
  return Math.round((seconds * rate.numerator) / rate.denominator);
}

/** Also the start of the frame with index `frames`. Accepts fractions. */
export function secondsOf(frames: number, rate: FrameRate): number {
  return (frames * rate.denominator) / rate.numerator;
}
