/** Chooses the gain and the limit that bring a sound to a loudness. Pure. */

/** As measured by ffmpeg's ebur128 filter, which follows EBU R 128 and ITU-R BS.1770. */
export type Loudness = {
  /** Gated; -70 for silence and for sounds shorter than 0.4 s. */
  integratedLufs: number;
  truePeakDb: number;
};

/** Also used if ffmpeg reports no loudness. */
export const SILENCE: Loudness = { integratedLufs: -70, truePeakDb: Number.NEGATIVE_INFINITY };

/** `ceilingDb`: peaks above it are limited. */
export type SoundLevel = { gainDb: number; ceilingDb: number };

/** The highest true peak that EBU R 128 permits. */
const MAX_TRUE_PEAK_DB = -1;
/** ffmpeg reports tenths. */
const PEAK_TOLERANCE_DB = 0.1;
const LOUDNESS_TOLERANCE = 0.35;
/**
 * AAC overshoots: few encoded sounds rise more than this above the limiter's ceiling, and none by `MAX_OVERSHOOT_DB`.
 */
const USUAL_OVERSHOOT_DB = 0.8;
const MAX_OVERSHOOT_DB = 3;
const FIRST_CEILING_DB = MAX_TRUE_PEAK_DB - PEAK_TOLERANCE_DB - USUAL_OVERSHOOT_DB;
/** More gain into the limiter would raise the noise between claps rather than the claps: they stay quieter. */
const MAX_EXTRA_GAIN_DB = 24;
/** Taken off the ceiling in addition: overshoot varies from one encode to the next. */
const SPARE_DB = 0.4;
/** Nearer points say nothing about a slope, because ffmpeg reports tenths. */
const LEAST_DISTANCE_DB = 0.5;
const LEAST_SLOPE = 0.25;
const LEAST_CHANGE_DB = 0.1;
const PEAK_WEIGHT = 10;
/** Quieter sounds are the noise of a silent recording, and stay as they are. */
const QUIETEST_LUFS = -60;

/** Returns the level to encode at, or null for a sound that is silent or too short to measure. */
export function firstLevel({ integratedLufs }: Loudness, targetLufs: number): SoundLevel | null {
  if (!(integratedLufs > QUIETEST_LUFS)) return null;
  return { gainDb: targetLufs - integratedLufs, ceilingDb: FIRST_CEILING_DB };
}

/** Returns whether the gain alone would take peaks above the ceiling. */
export function needsLimiter({ truePeakDb }: Loudness, { gainDb, ceilingDb }: SoundLevel): boolean {
  return truePeakDb + gainDb > ceilingDb;
}

/** Returns whether the encoded sound may miss the target: a limiter lowers loudness, and AAC raises peaks. */
export function needsCheck({ truePeakDb }: Loudness, { gainDb }: SoundLevel): boolean {
  return truePeakDb + gainDb > MAX_TRUE_PEAK_DB - MAX_OVERSHOOT_DB;
}

/** A level, and the loudness of the sound that was encoded at it. */
export type Trial = { level: SoundLevel; encoded: Loudness };

/**
 * Returns a better level than the last of `tried`, or null if the last one is good enough or no better one is known.
 * `mixed` is the loudness before any gain. A limiter's effect depends only on the gain above its ceiling: moving both
 * by one decibel moves the sound by one decibel.
 */
export function nextLevel(mixed: Loudness, tried: readonly Trial[], targetLufs: number): SoundLevel | null {
  const { level, encoded } = tried.at(-1)!;
  const excess = excessOf(encoded);
  const lack = targetLufs - encoded.integratedLufs;
  if (excess <= 0 && Math.abs(lack) <= LOUDNESS_TOLERANCE) return null;
  // peaks that stay far below leave room for loudness
  const raising = lack > 0 ? Math.max(0, -excess / 2 - SPARE_DB) : 0;
  const lowering = excess > 0 ? excess + SPARE_DB : -raising;
  const ceilingDb = Math.min(FIRST_CEILING_DB, level.ceilingDb - lowering);
  const points = [{ drive: -mixed.truePeakDb, rise: mixed.integratedLufs - mixed.truePeakDb }, ...tried.map(toPoint)];
  const slope = slopeOf(points.at(-2)!, points.at(-1)!);
  const drive = points.at(-1)!.drive + (lack + level.ceilingDb - ceilingDb) / slope;
  const mostGainDb = targetLufs - mixed.integratedLufs + MAX_EXTRA_GAIN_DB;
  const gainDb = Math.min(drive + ceilingDb, mostGainDb);
  const change = Math.abs(gainDb - level.gainDb) + Math.abs(ceilingDb - level.ceilingDb);
  return change < LEAST_CHANGE_DB ? null : { gainDb, ceilingDb };
}

/** Returns the level that came nearest to the target. Peaks above the limit count most. */
export function bestLevel(tried: readonly Trial[], targetLufs: number): SoundLevel {
  const miss = ({ encoded }: Trial) =>
    Math.abs(targetLufs - encoded.integratedLufs) + PEAK_WEIGHT * Math.max(0, excessOf(encoded));
  return tried.reduce((best, trial) => (miss(trial) < miss(best) ? trial : best)).level;
}

function excessOf({ truePeakDb }: Loudness): number {
  return truePeakDb - (MAX_TRUE_PEAK_DB - PEAK_TOLERANCE_DB);
}

/** On the curve of a sound: its gain above the ceiling, and its loudness above the ceiling. */
type Point = { drive: number; rise: number };

function toPoint({ level: { gainDb, ceilingDb }, encoded }: Trial): Point {
  return { drive: gainDb - ceilingDb, rise: encoded.integratedLufs - ceilingDb };
}

/** Returns how much louder a sound gets per decibel of gain: 1 until peaks reach the ceiling, less from there on. */
function slopeOf(from: Point, to: Point): number {
  const distance = to.drive - from.drive;
  if (distance < LEAST_DISTANCE_DB) return 1;
  return Math.min(1, Math.max(LEAST_SLOPE, (to.rise - from.rise) / distance));
}
