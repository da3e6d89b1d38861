import { type FrameRate, framesIn, secondsOf } from "./fit-size.ts";
import type { Cut, Footage, Layer, LayerTimes, Shown } from "./render-plan.ts";
import { paced, speedOf } from "./speed.ts";

/** A shorter stretch costs more bits for its keyframe than it saves. */
const MIN_STRETCH_SECONDS = 1;
/** Longer than an encoder's reordering delay, at any rate. */
const MIN_STRETCH_FRAMES = 8;

/**
 * Cuts footage into stretches, so that none is encoded twice: where a layer appears or disappears and where other
 * footage starts or ends. No stretch is shorter than a second, and the stretches on both sides of a cut are shown by
 * different footage: with subtitles that all have, layers change every second. All footage must be distinct.
 */
export function cutFootage(all: readonly Footage[], rate: FrameRate): Footage[][] {
  const least = Math.max(MIN_STRETCH_FRAMES, framesIn(MIN_STRETCH_SECONDS, rate));
  const common = commonLayers(all);
  const parts = all.map((footage) => cutAt(footage, layerCuts(footage, least, common), rate));
  const edges = gatherEdges(parts.flat());
  const pieces = parts.map((some) =>
    some.flatMap((part) => cutAt(part, spacedEdges(part.cut, edges.get(matchOf(part)) ?? [], least), rate)),
  );
  const identities = pieces.map((some) => some.map(identityOf));
  const users = new Map<string, number[]>();
  for (const [i, some] of identities.entries())
    for (const identity of some) users.set(identity, [...(users.get(identity) ?? []), i]);
  return pieces.map((some, i) => {
    const shownBy = identities[i]!.map((identity) => users.get(identity)!);
    const points = some.slice(1).flatMap(({ cut }, k) => {
      const [before, after] = [shownBy[k]!, shownBy[k + 1]!];
      return String(before) === String(after) ? [] : [cut.firstFrame];
    });
    return cutAt(all[i]!, points, rate);
  });
}

/** Returns those that all footage of a range shows on the same frames: they need no cuts. */
function commonLayers(all: readonly Footage[]): ReadonlySet<string> {
  const uses = new Map<string, number>();
  for (const footage of all)
    for (const layer of footage.layers) {
      const key = placeOf(footage, layer);
      uses.set(key, (uses.get(key) ?? 0) + 1);
    }
  const bySource = [...Map.groupBy(all, ({ source }) => source).values()];
  // Windows that overlap share stretches between such layers.
  const ofOneRange = bySource.filter(([first, ...others]) => others.every((other) => isSameRange(first!, other)));
  return new Set(
    ofOneRange.flatMap((some) =>
      some[0]!.layers.map((layer) => placeOf(some[0]!, layer)).filter((key) => uses.get(key) === some.length),
    ),
  );
}

function isSameRange({ cut: a }: Footage, { cut: b }: Footage): boolean {
  return a.firstFrame === b.firstFrame && a.frames === b.frames;
}

function placeOf({ source, cut }: Footage, { drawing, shown }: Layer): string {
  return shown ? `${source} ${drawing} ${cut.firstFrame + shown.fromFrame} ${cut.firstFrame + shown.toFrame}` : "";
}

/**
 * Times count from the first of `frames`. A layer fades where it appears or disappears within them, not at their ends.
 * Returns which frames show it; null if it starts later.
 */
export function showLayer(frames: number, times: LayerTimes, rate: FrameRate): Shown | null {
  const fromFrame = framesIn(times.startSeconds, rate);
  if (fromFrame >= frames) return null;
  const endFrame = times.endSeconds === null ? frames : Math.max(fromFrame + 1, framesIn(times.endSeconds, rate));
  const toFrame = Math.min(endFrame, frames);
  const fade = Math.min(framesIn(times.fadeMs / 1_000, rate), Math.floor((toFrame - fromFrame) / 2));
  return {
    ...{ fromFrame, toFrame },
    fadeInFrames: fromFrame > 0 ? fade : 0,
    fadeOutFrames: toFrame < frames ? fade : 0,
  };
}

export function identityOf({ source, speed, cut, layers, into }: Footage): string {
  return JSON.stringify([source, speed, cut.firstFrame, cut.frames, layers, ...(into ? [identityOf(into)] : [])]);
}

/**
 * Returns where layers appear and disappear, except common ones, at least `least` frames apart and never within a fade. A layer that is shown
 * for fewer frames stays in one stretch.
 */
function layerCuts(footage: Footage, least: number, common: ReadonlySet<string>): number[] {
  const { cut, layers } = footage;
  const changes = layers
    .flatMap((layer) => {
      const { shown } = layer;
      return shown && !common.has(placeOf(footage, layer))
        ? [
            { frame: shown.fromFrame, isEnd: false },
            { frame: shown.toFrame, isEnd: true },
          ]
        : [];
    })
    .toSorted((a, b) => a.frame - b.frame);
  const fading = layers.flatMap(({ shown }) => (shown && shown.fadeInFrames + shown.fadeOutFrames > 0 ? [shown] : []));
  const points: number[] = [];
  for (const { frame, isEnd } of changes) {
    const last = points.at(-1) ?? 0;
    const earliest = last + least;
    if (frame <= last || (frame < earliest && !isEnd)) continue;
    const point = Math.max(frame, earliest);
    if (cut.frames - point >= least && !fading.some((shown) => isFading(shown, point))) points.push(point);
  }
  return points.map((frame) => cut.firstFrame + frame);
}

function isFading({ fromFrame, toFrame, fadeInFrames, fadeOutFrames }: Shown, frame: number): boolean {
  const isFadingIn = fromFrame < frame && frame < fromFrame + fadeInFrames;
  return isFadingIn || (toFrame - fadeOutFrames < frame && frame < toFrame);
}

function gatherEdges(parts: readonly Footage[]): Map<string, number[]> {
  const edges = new Map<string, Set<number>>();
  for (const part of parts) {
    const { firstFrame, frames } = part.cut;
    const known = edges.get(matchOf(part)) ?? new Set();
    edges.set(matchOf(part), known.add(firstFrame).add(firstFrame + frames));
  }
  return new Map([...edges].map(([match, frames]) => [match, [...frames].toSorted((a, b) => a - b)]));
}

/** A part that shows a layer on only some frames matches only an identical part. */
function matchOf(part: Footage): string {
  return isShownThroughout(part) ? lineOf(part) : identityOf(part);
}

export function isShownThroughout({ layers }: Pick<Footage, "layers">): boolean {
  return layers.every(({ shown }) => shown === null);
}

/** Equal for footage that one line of an encoder can hold, if it is consecutive and its layers on all frames. */
export function lineOf({ source, speed, layers }: Footage): string {
  return JSON.stringify([source, speed, layers]);
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

/** Cuts footage of one source at the given playback frames. */
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
    const layers = within(footage.layers, frames, firstFrame - cut.firstFrame);
    return Object.assign({ source: footage.source, cut: part, layers }, paced(speedOf(footage)));
  });
}

/**
 * Returns the layers on `frames` frames from `at`. A fade that they hold only in part is left out. Cuts
 * avoid fades, but a part may end within one.
 */
export function within(layers: readonly Layer[], frames: number, at: number): Layer[] {
  const isWithin = (from: number, to: number) => from >= at && to <= at + frames;
  return layers.flatMap(({ drawing, shown }): Layer[] => {
    if (!shown) return [{ drawing, shown }];
    const fromFrame = Math.max(0, shown.fromFrame - at);
    const toFrame = Math.min(frames, shown.toFrame - at);
    if (toFrame <= fromFrame) return [];
    const part = {
      ...{ fromFrame, toFrame },
      fadeInFrames: isWithin(shown.fromFrame, shown.fromFrame + shown.fadeInFrames) ? shown.fadeInFrames : 0,
      fadeOutFrames: isWithin(shown.toFrame - shown.fadeOutFrames, shown.toFrame) ? shown.fadeOutFrames : 0,
    };
    return [{ drawing, shown: isWhole(part, frames) ? null : part }];
  });
}

function isWhole({ fromFrame, toFrame, fadeInFrames, fadeOutFrames }: Shown, frames: number): boolean {
  return fromFrame === 0 && toFrame === frames && fadeInFrames === 0 && fadeOutFrames === 0;
}
