const MAX_FRAMES_PER_SECOND = 60;
/** Broadcast rates are a thousandth below the integer. */
const USUAL_RATES = [24, 25, 30, 48, 50, 60].flatMap((whole) => [whole / 1.001, whole]);
/** For irregular frames: the lowest of these that keeps them all. */
const FALLBACK_RATES = [24, 25, 30, 50];
/** Containers round times to a millisecond, sometimes twice. */
const ROUNDING_SECONDS = 0.002;
const SAME_RATE = 0.0005;
/** Recorders may need this many frames to reach their rate. */
const MAX_UNSTEADY_FRAMES = 5;
/** Fewer frames after them may be even by chance. */
const MIN_STEADY_FRAMES = 24;
/** How early or late a frame may be. */
const MAX_SHIFT_SECONDS = 1 / 60 + 1e-6;
/** How much an output may start before or after its file. */
const MAX_OFFSET_SECONDS = 0.016;
/** Longer frames are listed, since a cut may start inside one. */
const LONG_FRAME_SECONDS = 0.5;

/** Start times in seconds: ascending, without repeats. */
export type FrameTimes = Float64Array;

/** Frame k of an output shows the source at `offsetSeconds + k / framesPerSecond`. */
export type FrameGrid = { framesPerSecond: number; offsetSeconds: number };

/**
 * The rate loses no frame that 60 frames per second would keep, and shifts none by more than 1/60 s against its sound;
 * except for a few uneven frames before all others. `reportedRate` is the file's.
 */
export function chooseFrameGrid(allTimes: FrameTimes, reportedRate: number): FrameGrid {
  if (allTimes.length < 2) return { framesPerSecond: reportedRate, offsetSeconds: 0 };
  const times = withoutUnsteadyStart(allTimes);
  const average = averageRate(times);
  const even = evenRate(times);
  // Too fast: frames are dropped in any case.
  if (average > MAX_FRAMES_PER_SECOND + 0.5) return { framesPerSecond: even ?? average, offsetSeconds: 0 };
  const most = layGrid(times, MAX_FRAMES_PER_SECOND);
  for (const rate of [...(even === null ? [] : [even]), reportedRate, ...FALLBACK_RATES]) {
    if (rate > MAX_FRAMES_PER_SECOND) continue;
    const { offsetSeconds, lost, shiftSeconds } = layGrid(times, rate);
    if (lost <= most.lost && shiftSeconds <= MAX_SHIFT_SECONDS) return { framesPerSecond: rate, offsetSeconds };
  }
  return { framesPerSecond: MAX_FRAMES_PER_SECOND, offsetSeconds: most.offsetSeconds };
}

function withoutUnsteadyStart(times: FrameTimes): FrameTimes {
  for (let first = 0; first <= MAX_UNSTEADY_FRAMES && times.length - first >= MIN_STEADY_FRAMES; first++) {
    const steady = times.subarray(first);
    if (evenRate(steady) !== null) return steady;
  }
  return times;
}

function averageRate(times: FrameTimes): number {
  return (times.length - 1) / (times.at(-1)! - times[0]!);
}

function evenRate(times: FrameTimes): number | null {
  const average = averageRate(times);
  const usual = USUAL_RATES.find((rate) => Math.abs(rate / average - 1) < SAME_RATE);
  return [...(usual === undefined ? [] : [usual]), average].find((rate) => isEven(times, rate)) ?? null;
}

function isEven(times: FrameTimes, rate: number): boolean {
  let least = Infinity;
  let most = -Infinity;
  times.forEach((time, i) => {
    least = Math.min(least, time - i / rate);
    most = Math.max(most, time - i / rate);
  });
  return most - least <= 2 * ROUNDING_SECONDS;
}

/** Fits a grid through most frames. `shiftSeconds` is the largest shift. */
function layGrid(times: FrameTimes, rate: number) {
  let across = 0;
  let up = 0;
  for (const time of times) {
    across += Math.cos(2 * Math.PI * time * rate);
    up += Math.sin(2 * Math.PI * time * rate);
  }
  const phaseSeconds = Math.atan2(up, across) / (2 * Math.PI * rate);
  // Rounding absorbs the rest.
  const offsetSeconds = Math.max(-MAX_OFFSET_SECONDS, Math.min(MAX_OFFSET_SECONDS, phaseSeconds));
  let lost = 0;
  let lastSlot = -Infinity;
  let shiftSeconds = 0;
  for (const time of times) {
    const slot = Math.round((time - offsetSeconds) * rate);
    shiftSeconds = Math.max(shiftSeconds, Math.abs(slot / rate + offsetSeconds - time));
    if (slot === lastSlot) lost++;
    lastSlot = slot;
  }
  return { offsetSeconds, lost, shiftSeconds };
}

/** Returns an end time that, rounded to frames, still includes the frame at `seconds`. */
export function placeEnd(seconds: number, { framesPerSecond, offsetSeconds }: FrameGrid): number {
  // Too fast: frames are dropped in any case.
  if (framesPerSecond > MAX_FRAMES_PER_SECOND) return seconds;
  const rate = Math.max(1, framesPerSecond);
  return offsetSeconds + (Math.round((seconds - offsetSeconds) * rate) + 0.6) / rate;
}

export type LongFrame = { fromSeconds: number; toSeconds: number };

/** The last frame lasts until `endSeconds`. */
export function findLongFrames(times: FrameTimes, endSeconds: number): LongFrame[] {
  const long: LongFrame[] = [];
  times.forEach((fromSeconds, i) => {
    const toSeconds = times[i + 1] ?? endSeconds;
    if (toSeconds - fromSeconds > LONG_FRAME_SECONDS) long.push({ fromSeconds, toSeconds });
  });
  return long;
}

/** Returns the start of the frame shown at `seconds`, or an earlier time. */
export function shownSince(longFrames: readonly LongFrame[], seconds: number): number {
  const long = longFrames.find(({ fromSeconds, toSeconds }) => fromSeconds < seconds && seconds <= toSeconds);
  return long ? long.fromSeconds : Math.max(0, seconds - LONG_FRAME_SECONDS);
}
