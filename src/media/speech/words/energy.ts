import type { Window } from "#contract/jobs/outputs/assignment.ts";

export const ENERGY_STEP_SECONDS = 0.005;

/** Speech without interruptions longer than the closure of a consonant. */
export type Island = Window & { gapBefore: number };

/** Silero locates speech roughly; sound up to this far away belongs to it. */
const MARGIN_SECONDS = 0.12;
/** The level around speech is looked for in this range. */
const AROUND_SECONDS = 1.5;
/** Level above which sound counts, as a share of the way, in dB, from noise to speech. */
const THRESHOLD_SHARE = 0.35;
const MOST_BELOW_SPEECH_DB = 32;
const LEAST_ABOVE_NOISE_DB = 6;
/** Shorter sounds are clicks, shorter gaps closures within a word. */
const MIN_SOUND_STEPS = 4;
const MIN_GAP_STEPS = 6;

/** Finds where sound starts and ends within speech, to a step. `speech` are the ranges of `findSpeech`, in order. */
export function findIslands(levels: Float32Array, speech: readonly Window[]): Island[] {
  const islands: Island[] = [];
  let from = 0;
  for (const [i, { startSeconds, endSeconds }] of speech.entries()) {
    const next = speech[i + 1]?.startSeconds ?? Infinity;
    const first = Math.max(from, stepOf(startSeconds - MARGIN_SECONDS));
    const end = Math.min(levels.length, stepOf(Math.min(endSeconds + MARGIN_SECONDS, (endSeconds + next) / 2)));
    from = end;
    const threshold = thresholdOf(levels, first, end);
    for (const sound of findSounds(levels, { first, end, threshold })) {
      const range = { startSeconds: timeOf(sound.first), endSeconds: timeOf(sound.end) };
      const gapBefore = range.startSeconds - (islands.at(-1)?.endSeconds ?? -Infinity);
      islands.push({ ...range, gapBefore });
    }
  }
  return islands;
}

function findSounds(
  levels: Float32Array,
  { first, end, threshold }: { first: number; end: number; threshold: number },
): { first: number; end: number }[] {
  const sounds: { first: number; end: number }[] = [];
  let start: number | null = null;
  for (let step = first; step <= end; step++) {
    const isLoud = step < end && levels[step]! >= threshold;
    if (isLoud) start ??= step;
    if (isLoud || start === null) continue;
    const before = sounds.at(-1);
    if (before && start - before.end < MIN_GAP_STEPS) before.end = step;
    else sounds.push({ first: start, end: step });
    start = null;
  }
  return sounds.filter((sound) => sound.end - sound.first >= MIN_SOUND_STEPS);
}

function thresholdOf(levels: Float32Array, first: number, end: number): number {
  const around = Math.round(AROUND_SECONDS / ENERGY_STEP_SECONDS);
  const loud = percentile(levels.subarray(first, end), 0.9);
  const noise = percentile(levels.subarray(Math.max(0, first - around), end + around), 0.05);
  const wanted = noise + (loud - noise) * THRESHOLD_SHARE;
  return Math.max(wanted, loud - MOST_BELOW_SPEECH_DB, Math.min(noise + LEAST_ABOVE_NOISE_DB, loud - 3));
}

function percentile(values: Float32Array, share: number): number {
  const sorted = values.toSorted();
  return sorted[Math.floor(share * (sorted.length - 1))] ?? -Infinity;
}

/** Returns the quietest moment in the range, in the middle of all that are about as quiet. */
export function quietestIn(
  levels: Float32Array,
  { startSeconds, endSeconds }: Window,
): { at: number; depthDb: number } {
  const [first, end] = [Math.max(0, stepOf(startSeconds)), Math.min(levels.length, stepOf(endSeconds))];
  const range = levels.subarray(first, end);
  if (range.length === 0) return { at: startSeconds, depthDb: 0 };
  const least = range.reduce((low, level) => Math.min(low, level), Infinity);
  const at = range.findIndex((level) => level <= least + 1);
  return { at: timeOf(first + at), depthDb: percentile(range, 0.8) - least };
}

function stepOf(seconds: number): number {
  return Math.round(seconds / ENERGY_STEP_SECONDS);
}

function timeOf(step: number): number {
  return step * ENERGY_STEP_SECONDS;
}
