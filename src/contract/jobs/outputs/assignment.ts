/** Assigns windows, captions and tracks to outputs (DESIGN section 5). */
import { ClipmillError } from "../../errors.ts";
import type { JobSettings } from "../../job-settings/job-settings.ts";
import { JOB_LIMITS, type SegmentationType } from "../jobs.ts";
import { isShorter, leastPartSeconds } from "../part-length.ts";

export type Window = { startSeconds: number; endSeconds: number };

export type Segmentation = { type: SegmentationType; segmentSeconds: number } | null;

/** Indexes start at 0; null is none, or for `window` the entire video. */
export type Assignment = {
  /** Counts languages and formats, too: those of one choice of caption, track and window are consecutive. */
  variant: number;
  /** In the job's formats. */
  formatIndex: number;
  segment: number;
  window: Window | null;
  captionIndex: number | null;
  trackIndex: number | null;
};

/** Index of a video's first variant in the captions and tracks, which continue through the job. */
export type Turns = { caption: number; track: number };

const FIRST_TURNS: Turns = { caption: 0, track: 0 };

/** Shorter ones are merged into the previous clip. */
const MIN_LAST_CLIP_SECONDS = 1;

/** Output n (video index x variants + variant index) gets caption n mod C. */
export function captionIndexOf(n: number, captions: number): number | null {
  return captions === 0 ? null : n % captions;
}

/** Shifts by one after each common cycle, so that all (caption, track) pairs occur before one repeats. */
export function trackIndexOf(n: number, captions: number, tracks: number): number | null {
  if (tracks === 0) return null;
  if (captions === 0) return n % tracks;
  return (n + Math.floor(n / leastCommonMultiple(captions, tracks))) % tracks;
}

export const TOO_MANY_FILES =
  "A job can have at most 10,000 files, and this video would exceed that. Use longer segments or fewer variants.";

/**
 * Returns null for the entire video. Throws ClipmillError "too_short" for a part that is empty, or over too soon at
 * `speed`.
 */
export function partOf(
  durationSeconds: number,
  { start_seconds: startSeconds, end_seconds }: Pick<JobSettings, "start_seconds" | "end_seconds">,
  speed = 1,
): Window | null {
  const endSeconds = Math.min(end_seconds ?? Number.POSITIVE_INFINITY, durationSeconds);
  const isWhole = startSeconds === 0 && endSeconds === durationSeconds;
  if (isWhole && speed <= 1) return null;
  const length = `The video is ${durationSeconds.toFixed(1)} s long`;
  if (endSeconds - startSeconds < JOB_LIMITS.partSeconds) {
    throw new ClipmillError("too_short", `${length}, and the part to use starts at ${startSeconds} s.`);
  }
  // Less would be a single frame, which cannot be joined to others.
  if (isShorter(endSeconds - startSeconds, leastPartSeconds(speed))) {
    const part = `its part of ${(endSeconds - startSeconds).toFixed(2)} s is too short for a speed of ${speed}×`;
    throw new ClipmillError("too_short", `${length}, and ${part}.`);
  }
  return isWhole ? null : { startSeconds, endSeconds };
}

/**
 * Returns a video's outputs, by variant, then segment. Clips are cut from the part, null for the entire video. Throws
 * ClipmillError "too_large" above the job's limit.
 */
export function assignOutputs(video: {
  turns?: Turns;
  durationSeconds: number;
  part?: Window | null;
  variants: number;
  /** One by default. */
  formats?: number;
  languages?: number;
  captions: number;
  tracks: number;
  segmentation: Segmentation;
  /** Seconds of `durationSeconds` and of windows in one of a file, whose length segments have. 1 by default. */
  speed?: number;
}): Assignment[] {
  const { part = null, turns = FIRST_TURNS, variants, formats = 1, languages = 1, segmentation, speed = 1 } = video;
  const length = part ? part.endSeconds - part.startSeconds : video.durationSeconds;
  const durationSeconds = length / speed;
  const onSource = (seconds: number) => (seconds === durationSeconds ? length : seconds * speed);
  const clips = segmentation?.type === "multiple" ? segmentCount(durationSeconds, segmentation.segmentSeconds) : 1;
  // Checked first: a long video in short segments could make millions.
  const versions = languages * formats;
  if (variants * versions * clips > JOB_LIMITS.outputs) throw new ClipmillError("too_large", TOO_MANY_FILES);
  return range(variants * versions).flatMap((variant) => {
    const choice = Math.floor(variant / versions);
    const captionIndex = captionIndexOf(turns.caption + choice, video.captions);
    const trackIndex = trackIndexOf(turns.track + choice, video.captions, video.tracks);
    return windowsOf(durationSeconds, segmentation, choice, variants).map((window, segment) => ({
      variant,
      formatIndex: variant % formats,
      segment,
      window: withinPart(
        window && { startSeconds: onSource(window.startSeconds), endSeconds: onSource(window.endSeconds) },
        part,
      ),
      captionIndex,
      trackIndex,
    }));
  });
}

function withinPart(window: Window | null, part: Window | null): Window | null {
  if (!window || !part) return window ?? part;
  const { startSeconds } = part;
  return { startSeconds: startSeconds + window.startSeconds, endSeconds: startSeconds + window.endSeconds };
}

function windowsOf(
  durationSeconds: number,
  segmentation: Segmentation,
  variant: number,
  variants: number,
): (Window | null)[] {
  if (!segmentation) return [null];
  if (segmentation.type === "single")
    return [singleWindow(durationSeconds, segmentation.segmentSeconds, variant, variants)];
  return consecutiveWindows(durationSeconds, segmentation.segmentSeconds);
}

/** Variants are spread evenly across the video. */
function singleWindow(
  durationSeconds: number,
  segmentSeconds: number,
  variant: number,
  variants: number,
): Window | null {
  const room = durationSeconds - segmentSeconds;
  if (room <= 0) return null;
  const startSeconds = variants === 1 ? 0 : (room * variant) / (variants - 1);
  return { startSeconds, endSeconds: startSeconds + segmentSeconds };
}

function consecutiveWindows(durationSeconds: number, segmentSeconds: number): (Window | null)[] {
  const count = segmentCount(durationSeconds, segmentSeconds);
  if (count === 1) return [null];
  return range(count).map((i) => ({
    startSeconds: i * segmentSeconds,
    endSeconds: i === count - 1 ? durationSeconds : (i + 1) * segmentSeconds,
  }));
}

/** Clips of `multiple`; a last one under 1 s is merged. */
export function segmentCount(durationSeconds: number, segmentSeconds: number): number {
  const whole = Math.floor(durationSeconds / segmentSeconds);
  const rest = durationSeconds - whole * segmentSeconds;
  return Math.max(1, rest >= MIN_LAST_CLIP_SECONDS ? whole + 1 : whole);
}

function leastCommonMultiple(a: number, b: number): number {
  return (a * b) / greatestCommonDivisor(a, b);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
