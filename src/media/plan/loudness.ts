/** From ffmpeg's ebur128 filter, which follows EBU R 128 and ITU-R BS.1770. */
export type Loudness = {
  /** Gated; -70 for silence and for sounds shorter than 0.4 s. */
  integratedLufs: number;
  truePeakDb: number;
};

export const SILENCE: Loudness = { integratedLufs: -70, truePeakDb: Number.NEGATIVE_INFINITY };

export type SoundLevel = { gainDb: number; ceilingDb: number };

/** The highest true peak that EBU R 128 permits. */
const MAX_TRUE_PEAK_DB = -1;
/** ffmpeg reports tenths. */
const PEAK_TOLERANCE_DB = 0.1;
const LOUDNESS_TOLERANCE = 0.35;
/** AAC overshoots: few sounds rise more than this above the limiter's ceiling, and none by `MAX_OVERSHOOT_DB`. */
const USUAL_OVERSHOOT_DB = 0.8;
const MAX_OVERSHOOT_DB = 3;
const FIRST_CEILING_DB = MAX_TRUE_PEAK_DB - PEAK_TOLERANCE_DB - USUAL_OVERSHOOT_DB;
/** More gain would raise the noise between claps rather than the claps. */
const MAX_EXTRA_GAIN_DB = 24;
/** An extra margin, because overshoot varies between encodes. */
const SPARE_DB = 0.4;
/** Nearer points give no slope, because ffmpeg reports tenths. */
const LEAST_DISTANCE_DB = 0.5;
const LEAST_SLOPE = 0.25;
const LEAST_CHANGE_DB = 0.1;
const PEAK_WEIGHT = 10;
/** Quieter sounds are the noise of a silent recording, and stay as they are. */
const QUIETEST_LUFS = -60;

/** Returns null for a sound that is silent or too short to measure. */
export function firstLevel({ integratedLufs }: Loudness, targetLufs: number): SoundLevel | null {
  if (!(integratedLufs > QUIETEST_LUFS)) return null;
  return { gainDb: targetLufs - integratedLufs, ceilingDb: FIRST_CEILING_DB };
}

/** More would raise noise. */
const MAX_EVENING_DB = 20;

/**
 * Returns the gain, in decibels, that gives each part the loudness of all together, so that the whole stays as loud as
 * it was. Parts that are silent or too short to measure keep their own.
 */
export function evenGains(parts: readonly { seconds: number; integratedLufs: number | null }[]): number[] {
  const measured = parts.map(({ seconds, integratedLufs }) => ({
    seconds,
    lufs: integratedLufs !== null && integratedLufs > QUIETEST_LUFS ? integratedLufs : null,
  }));
  const seconds = measured.reduce((sum, part) => sum + (part.lufs === null ? 0 : part.seconds), 0);
  const power = measured.reduce(
    (sum, part) => sum + (part.lufs === null ? 0 : part.seconds * 10 ** (part.lufs / 10)),
    0,
  );
  const wholeLufs = 10 * Math.log10(power / seconds);
  return measured.map(({ lufs }) => {
    if (lufs === null) return 0;
    const gainDb = Math.max(-MAX_EVENING_DB, Math.min(wholeLufs - lufs, MAX_EVENING_DB));
    return Math.round(gainDb * 10) / 10;
  });
}

export function needsLimiter({ truePeakDb }: Loudness, { gainDb, ceilingDb }: SoundLevel): boolean {
  return truePeakDb + gainDb > ceilingDb;
}

/** True if the encoded sound may miss the target: a limiter lowers loudness, and AAC raises peaks. */
export function needsCheck({ truePeakDb }: Loudness, { gainDb }: SoundLevel): boolean {
  return truePeakDb + gainDb > MAX_TRUE_PEAK_DB - MAX_OVERSHOOT_DB;
}

export type Trial = { level: SoundLevel; encoded: Loudness };

/**
 * Returns a better level than the last of `tried`, or null if that is good enough or no better one is known. `mixed` is
 * the loudness before any gain. A limiter's effect depends only on the gain above its ceiling: moving both by one
 * decibel moves the sound by one decibel.
 */
export function nextLevel(mixed: Loudness, tried: readonly Trial[], targetLufs: number): SoundLevel | null {
  const { level, encoded } = tried.at(-1)!;
  const excess = excessOf(encoded);
  const lack = targetLufs - encoded.integratedLufs;
  if (excess <= 0 && Math.abs(lack) <= LOUDNESS_TOLERANCE) return null;
  // Peaks that stay far below leave room for loudness.
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

/** Peaks above the limit count most. */
export function bestLevel(tried: readonly Trial[], targetLufs: number): SoundLevel {
  const miss = ({ encoded }: Trial) =>
    Math.abs(targetLufs - encoded.integratedLufs) + PEAK_WEIGHT * Math.max(0, excessOf(encoded));
  return tried.reduce((best, trial) => (miss(trial) < miss(best) ? trial : best)).level;
}

function excessOf({ truePeakDb }: Loudness): number {
  return truePeakDb - (MAX_TRUE_PEAK_DB - PEAK_TOLERANCE_DB);
}

/** A sound's gain and its loudness, both above the ceiling. */
type Point = { drive: number; rise: number };

function toPoint({ level: { gainDb, ceilingDb }, encoded }: Trial): Point {
  return { drive: gainDb - ceilingDb, rise: encoded.integratedLufs - ceilingDb };
}

/** Loudness per decibel of gain: 1 until peaks reach the ceiling, then less. */
function slopeOf(from: Point, to: Point): number {
  const distance = to.drive - from.drive;
  if (distance < LEAST_DISTANCE_DB) return 1;
  return Math.min(1, Math.max(LEAST_SLOPE, (to.rise - from.rise) / distance));
}
