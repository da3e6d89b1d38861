import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { type FrameRate, framesIn, secondsOf } from "./fit-size.ts";
import type { Cut, Footage, Overlay, Shown } from "./render-plan.ts";

/** A shorter stretch costs more bits for its keyframe than it saves. */
const MIN_STRETCH_SECONDS = 1;
/** Longer than an encoder's reordering delay, at any rate. */
const MIN_STRETCH_FRAMES = 8;

/**
 * Cuts footage into stretches, so that none is encoded twice: where the caption appears or disappears and where other
 * footage starts or ends. No stretch is shorter than a second, and each cut has a stretch on at least one side that is
 * shared. All footage must be distinct.
 */
export function cutFootage(all: readonly Footage[], rate: FrameRate): Footage[][] {
  const least = Math.max(MIN_STRETCH_FRAMES, framesIn(MIN_STRETCH_SECONDS, rate));
  const parts = all.map((footage) => cutAt(footage, captionCuts(footage, least), rate));
  const edges = gatherEdges(parts.flat());
  const pieces = parts.map((some) =>
    some.flatMap((part) => cutAt(part, spacedEdges(part.cut, edges.get(overlayOf(part)) ?? [], least), rate)),
  );
  const uses = new Map<string, number>();
  for (const piece of pieces.flat()) uses.set(identityOf(piece), (uses.get(identityOf(piece)) ?? 0) + 1);
  return pieces.map((some, i) => {
    const isShared = some.map((piece) => uses.get(identityOf(piece))! > 1);
    const points = some.slice(1).flatMap(({ cut }, k) => (isShared[k] || isShared[k + 1] ? [cut.firstFrame] : []));
    return cutAt(all[i]!, points, rate);
  });
}

/**
 * Caption times count from the first frame of `frames`. A caption fades where it appears or disappears within them, not
 * at their ends. One that starts later is not shown at all.
 */
export function showCaption(
  frames: number,
  caption: string | null,
  settings: StreamSettings<"timing">,
  rate: FrameRate,
): Pick<Overlay, "caption" | "shown"> {
  const fromFrame = framesIn(settings.caption_start_seconds, rate);
  if (caption === null || fromFrame >= frames) return { caption: null, shown: null };
  const endSeconds = settings.caption_end_seconds;
  const endFrame = endSeconds === null ? frames : Math.max(fromFrame + 1, framesIn(endSeconds, rate));
  const toFrame = Math.min(endFrame, frames);
  const fade = Math.min(framesIn(settings.caption_fade / 1_000, rate), Math.floor((toFrame - fromFrame) / 2));
  const shown = {
    ...{ fromFrame, toFrame },
    fadeInFrames: fromFrame > 0 ? fade : 0,
    fadeOutFrames: toFrame < frames ? fade : 0,
  };
  return { caption, shown: isWhole(shown, frames) ? null : shown };
}

export function identityOf({ source, cut, isBare, caption, shown, into }: Footage): string {
  return JSON.stringify([
    source,
    cut.firstFrame,
    cut.frames,
    isBare,
    caption,
    shown,
    ...(into ? [identityOf(into)] : []),
  ]);
}

function captionCuts({ cut, shown }: Footage, least: number): number[] {
  if (!shown) return [];
  const from = shown.fromFrame < least ? 0 : shown.fromFrame;
  const until = Math.max(shown.toFrame, from + least);
  const to = cut.frames - until < least ? cut.frames : until;
  return [from, to].filter((frame) => frame > 0 && frame < cut.frames).map((frame) => cut.firstFrame + frame);
}

function gatherEdges(parts: readonly Footage[]): Map<string, number[]> {
  const edges = new Map<string, Set<number>>();
  for (const part of parts) {
    const { firstFrame, frames } = part.cut;
    const known = edges.get(overlayOf(part)) ?? new Set();
    edges.set(overlayOf(part), known.add(firstFrame).add(firstFrame + frames));
  }
  return new Map([...edges].map(([overlay, frames]) => [overlay, [...frames].toSorted((a, b) => a - b)]));
}

/** A part that shows its caption on only some frames matches only an identical part. */
function overlayOf(part: Footage): string {
  return part.shown ? identityOf(part) : lineOf(part);
}

/** Equal for footage that one line of an encoder can hold, if it is consecutive and its caption on all frames. */
export function lineOf({ source, isBare, caption }: Footage): string {
  return JSON.stringify([source, isBare, caption]);
}

/** At least `least` frames from the cut's ends and from each other. */
function spacedEdges({ firstFrame, frames }: Cut, edges: readonly number[], least: number): number[] {
  const points: number[] = [];
  for (let i = lowerBound(edges, firstFrame + least); i < edges.length; i++) {
    const edge = edges[i]!;
    if (edge > firstFrame + frames - least) break;
    if (edge - (points.at(-1) ?? firstFrame) >= least) points.push(edge);
  }
  return points;
}

function lowerBound(sorted: readonly number[], least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Cuts footage of one source at the given frames. */
export function cutAt(footage: Footage, points: readonly number[], rate: FrameRate): Footage[] {
  const { cut } = footage;
  if (points.length === 0) return [footage];
  const end = cut.firstFrame + cut.frames;
  return [cut.firstFrame, ...points].map((firstFrame, i) => {
    const frames = (points[i] ?? end) - firstFrame;
    const part = {
      firstFrame,
      frames,
      startSeconds: secondsOf(firstFrame, rate),
      seconds: secondsOf(frames, rate),
      isCutAtStart: cut.isCutAtStart || i > 0,
      isCutAtEnd: cut.isCutAtEnd || i < points.length,
    };
    const { caption, shown } = within(footage, frames, firstFrame - cut.firstFrame);
    return { source: footage.source, cut: part, isBare: footage.isBare, caption, shown };
  });
}

/**
 * Returns what `frames` frames from `at` show of the caption. A fade that they hold only in part is left out: cuts are
 * made around fades.
 */
export function within(
  { caption, shown }: Pick<Overlay, "caption" | "shown">,
  frames: number,
  at: number,
): Pick<Overlay, "caption" | "shown"> {
  if (!shown) return { caption, shown };
  const fromFrame = Math.max(0, shown.fromFrame - at);
  const toFrame = Math.min(frames, shown.toFrame - at);
  if (toFrame <= fromFrame) return { caption: null, shown: null };
  const part = {
    ...{ fromFrame, toFrame },
    fadeInFrames: shown.fromFrame >= at ? shown.fadeInFrames : 0,
    fadeOutFrames: shown.toFrame <= at + frames ? shown.fadeOutFrames : 0,
  };
  return { caption, shown: isWhole(part, frames) ? null : part };
}

function isWhole({ fromFrame, toFrame, fadeInFrames, fadeOutFrames }: Shown, frames: number): boolean {
  return fromFrame === 0 && toFrame === frames && fadeInFrames === 0 && fadeOutFrames === 0;
}
