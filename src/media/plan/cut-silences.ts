import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { FILLERS_NOT_CUT, silencesNotCut } from "#contract/jobs/outputs/warnings.ts";
import { analyzedUntil, type DetectedSpeech, findSpeech } from "../speech/find-speech.ts";
import { type FrameRate, framesIn, secondsOf } from "./fit-size.ts";
import { planFrames } from "./plan-frames.ts";
import type { RenderRequest, TimelinePart } from "./render-plan.ts";
import { speedOf } from "./speed.ts";

type SilenceSettings = Pick<JobSettings, "cut_silences_ms" | "silence_padding_ms">;

/** A shorter cut would sound like a mistake, and save next to nothing. */
const MIN_CUT_SECONDS = 0.1;
/** As they play. Shorter parts at the ends of a window are the padding of words outside of it. */
const MIN_PART_SECONDS = 0.1;
/** A stream of one frame cannot be joined to another. */
const MIN_PART_FRAMES = 2;
/** With more, the sound's filter graph would exceed 128 KiB, Linux's limit for one argument. */
const MOST_PARTS = 600;
/** Rounding errors must not move a time that is a frame's. */
const EXACT = 1e-6;

/**
 * Cuts silences and fillers out of the timelines: a window of a source becomes the parts of it that are left. Both are by
 * the source's number: `detectedIn` is null without usable sound, `fillersIn` without a transcript; a job without the
 * setting has none. Windows of other sources, and those of which nothing would be left, stay whole.
 */
export function cutSilences(
  request: RenderRequest,
  detectedIn: ReadonlyMap<number, DetectedSpeech | null>,
  settings: SilenceSettings,
  fillersIn: ReadonlyMap<number, readonly Window[] | null> = new Map(),
): RenderRequest {
  const rate = planFrames(request.sources[0].probe, request.settings).frameRate;
  const sources = new Set([...detectedIn.keys(), ...fillersIn.keys()]);
  const mostCuts = Math.floor(MOST_PARTS / Math.max(1, sources.size));
  const cutsOf = new Map(
    [...sources].map((source) => {
      const [detected, fillers] = [detectedIn.get(source), fillersIn.get(source)];
      if (!detected && !fillers) return [source, null];
      return [source, longestCuts(findCuts(detected ?? null, settings, rate, fillers ?? []), mostCuts)];
    }),
  );
  const windowOf = ({ source, window }: TimelinePart): Window =>
    window ?? { startSeconds: 0, endSeconds: request.sources[source]!.probe.durationSeconds };
  const keptOf = (part: TimelinePart): Window[] | null => {
    const cuts = part.isBare ? null : cutsOf.get(part.source);
    return cuts ? leaveOut(windowOf(part), cuts, { rate, speed: speedOf(part) }) : null;
  };
  return {
    ...request,
    outputs: request.outputs.map((output) => {
      const parts = output.parts.map((part) => ({ part, kept: keptOf(part) }));
      const hasSound = (part: TimelinePart) => !part.isBare && Boolean(detectedIn.get(part.source));
      const isRead = (part: TimelinePart) => !part.isBare && Boolean(fillersIn.get(part.source));
      const warnings = [...(output.warnings ?? [])];
      if (detectedIn.size > 0 && !parts.some(({ part, kept }) => kept && hasSound(part)))
        warnings.push(silencesNotCut(parts.some(({ part }) => hasSound(part))));
      if (fillersIn.size > 0 && !parts.some(({ part }) => isRead(part))) warnings.push(FILLERS_NOT_CUT);
      return {
        ...output,
        parts: parts.flatMap(({ part, kept }) => putWindows(part, windowOf(part), kept)),
        ...(warnings.length > 0 && { warnings }),
      };
    }),
  };
}

function longestCuts(cuts: readonly Window[], most: number): readonly Window[] {
  if (cuts.length <= most) return cuts;
  const kept = new Set(cuts.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, most));
  return cuts.filter((cut) => kept.has(cut));
}

function lengthOf({ startSeconds, endSeconds }: Window): number {
  return endSeconds - startSeconds;
}

function putWindows(part: TimelinePart, whole: Window, kept: Window[] | null): TimelinePart[] {
  if (!kept) return [part];
  const [first] = kept;
  // A null window allows a copy.
  const isWhole = first!.startSeconds === whole.startSeconds && first!.endSeconds === whole.endSeconds;
  return isWhole ? [part] : kept.map((window) => ({ ...part, window }));
}

/**
 * Returns what to leave out, in order of their starts, in whole frames: fillers, and silences of at least
 * `cut_silences_ms` except for the padding beside speech. A filler is no speech: the pauses beside it are one silence
 * with it. Covers everything if there is no speech; without sound or with 0, only fillers are left out.
 */
export function findCuts(
  detected: DetectedSpeech | null,
  settings: SilenceSettings,
  rate: FrameRate,
  fillers: readonly Window[] = [],
): Window[] {
  const spoken = fillers
    .map(({ startSeconds, endSeconds }) => {
      return { startSeconds: firstFrameAt(startSeconds, rate), endSeconds: lastFrameAt(endSeconds, rate) };
    })
    .filter((cut) => lengthOf(cut) >= MIN_CUT_SECONDS - EXACT);
  if (!detected || settings.cut_silences_ms === 0) return spoken;
  const speech = findSpeech(detected).flatMap((window) => {
    const within = spoken.filter((cut) => cut.endSeconds > window.startSeconds && cut.startSeconds < window.endSeconds);
    return within.length === 0 ? [window] : (leaveOut(window, within, { rate }) ?? []);
  });
  const silences = findSilences(detected, speech, settings, rate);
  return [...silences, ...spoken].toSorted((a, b) => a.startSeconds - b.startSeconds);
}

function findSilences(
  detected: DetectedSpeech,
  speech: readonly Window[],
  { cut_silences_ms: leastMs, silence_padding_ms: paddingMs }: SilenceSettings,
  rate: FrameRate,
): Window[] {
  const [from, until] = [detected.fromSeconds, analyzedUntil(detected)];
  const starts = [from, ...speech.map(({ endSeconds }) => endSeconds)];
  const ends = [...speech.map(({ startSeconds }) => startSeconds), until];
  return starts.flatMap((start, i) => {
    const end = ends[i]!;
    if (end - start < leastMs / 1_000 - EXACT) return [];
    // Silence before the first word and after the last has padding on one side, and no end.
    const startSeconds = i === 0 ? Number.NEGATIVE_INFINITY : firstFrameAt(start + paddingMs / 1_000, rate);
    const endSeconds = i === speech.length ? Number.POSITIVE_INFINITY : lastFrameAt(end - paddingMs / 1_000, rate);
    const isAnalyzed = Math.min(endSeconds, until) - Math.max(startSeconds, from) >= MIN_CUT_SECONDS;
    return isAnalyzed ? [{ startSeconds, endSeconds }] : [];
  });
}

/** Returns what remains of the window, in order; null if it has no speech. */
export function leaveOut(
  window: Window,
  cuts: readonly Window[],
  { rate, speed = 1 }: { rate: FrameRate; speed?: number },
): Window[] | null {
  const isLongEnough = (from: number, until: number) =>
    (until - from) / speed >= MIN_PART_SECONDS &&
    framesIn(until / speed, rate) - framesIn(from / speed, rate) >= MIN_PART_FRAMES;
  let at = window.startSeconds;
  const kept: Window[] = [];
  for (const cut of [...cuts, { startSeconds: window.endSeconds, endSeconds: window.endSeconds }]) {
    const until = Math.min(cut.startSeconds, window.endSeconds);
    if (isLongEnough(at, until)) kept.push({ startSeconds: at, endSeconds: until });
    at = Math.max(at, cut.endSeconds);
  }
  return kept.length > 0 ? kept : null;
}

function firstFrameAt(seconds: number, rate: FrameRate): number {
  return secondsOf(Math.ceil((seconds * rate.numerator) / rate.denominator - EXACT), rate);
}

function lastFrameAt(seconds: number, rate: FrameRate): number {
  return secondsOf(Math.floor((seconds * rate.numerator) / rate.denominator + EXACT), rate);
}
