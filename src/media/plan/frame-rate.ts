/** The frame rate of what we encode, as a fraction, so that times match frames exactly. Pure. */

export type FrameRate = { numerator: number; denominator: number };

const MAX_FRAMES_PER_SECOND = 60;
/** Broadcast rates are a thousandth below the whole number. */
const BROADCAST_RATES = [24, 30, 48, 60];

/** Returns the source's own rate, limited to 1 to 60. */
export function outputFrameRate(sourceFramesPerSecond: number): FrameRate {
  const rate = Math.min(MAX_FRAMES_PER_SECOND, Math.max(1, sourceFramesPerSecond));
  const broadcast = BROADCAST_RATES.find((whole) => Math.abs(rate - whole / 1.001) < 0.002);
  if (broadcast) return { numerator: broadcast * 1_000, denominator: 1_001 };
  return Number.isInteger(rate)
    ? { numerator: rate, denominator: 1 }
    : { numerator: Math.round(rate * 1_000), denominator: 1_000 };
}

/** Returns the number of frames nearest to `seconds`. */
export function framesIn(seconds: number, rate: FrameRate): number {
  return Math.round((seconds * rate.numerator) / rate.denominator);
}

/** Returns the duration of `frames`, which is also when the frame with that index starts. Accepts fractions. */
export function secondsOf(frames: number, rate: FrameRate): number {
  return (frames * rate.denominator) / rate.numerator;
}
