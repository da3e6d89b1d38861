import { cutAt } from "../cut-footage.ts";
import { type FrameRate, framesIn } from "../fit-size.ts";
import { spreadKeyframes } from "../platform-encoding.ts";
import type { Chunks, Footage, Layer } from "../render-plan.ts";

/**
 * Cuts a stretch of at least two chunks into equal ones, where an encoder would have put a keyframe anyway, but not within
 * a fade.
 */
export function cutChunks(
  stretch: Footage,
  { seconds, lines }: Chunks,
  { keyframeFrames, frameRate: rate }: { keyframeFrames: number; frameRate: FrameRate },
): Footage[] {
  const { firstFrame, frames } = stretch.cut;
  const most = Math.ceil(framesIn(seconds, rate) / keyframeFrames) * keyframeFrames;
  if (frames < 2 * most) return [stretch];
  const starts = spreadKeyframes(frames, most).slice(1);
  const points = starts.map((frame) => afterFades(stretch.layers, frame));
  const apart = points.filter((frame, i) => frame > (points[i - 1] ?? 0) && frames - frame >= keyframeFrames);
  if (apart.length === 0) return [stretch];
  const chunks = cutAt(
    stretch,
    apart.map((frame) => firstFrame + frame),
    rate,
  );
  return chunks.map((chunk) => Object.assign(chunk, { lines: lines[rangeOf(chunk)] ?? 1 }));
}

/** Identifies frames of a source. */
export function rangeOf({ source, speed = 1, cut }: Pick<Footage, "source" | "speed" | "cut">): string {
  return `${source} ${speed} ${cut.firstFrame} ${cut.frames}`;
}

/** Returns the first frame from `frame` on at which no layer is fading. */
export function afterFades(layers: readonly Layer[], frame: number): number {
  for (const { shown } of layers) {
    if (!shown) continue;
    const { fromFrame, toFrame, fadeInFrames, fadeOutFrames } = shown;
    const fadedIn = fromFrame + fadeInFrames;
    if (fromFrame < frame && frame < fadedIn) return afterFades(layers, fadedIn);
    if (toFrame - fadeOutFrames < frame && frame < toFrame) return afterFades(layers, toFrame);
  }
  return frame;
}
