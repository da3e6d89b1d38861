import { MAX_PIXEL_ASPECT, type VideoStream } from "../probe/probe-report.ts";

export type Size = { width: number; height: number };

/**
 * Scales to the output's size and letterboxes other shapes. Measures each frame, because size and shape may change
 * mid-stream. `fromSeconds` is the source time of the first frame; `colors` are further scale options.
 */
export function fitSize(
  video: VideoStream,
  plan: Size,
  { fromSeconds, colors }: { fromSeconds: number; colors: readonly string[] },
): string[] {
  const seen = framePixelAspect(video, fromSeconds);
  const stored = storedSize(video);
  // One line or column too many: cropping keeps the rest sharp.
  const isCropped = video.hasSquarePixels && stored.width >= plan.width && stored.height >= plan.height;
  if (!isCropped) return fitInto(plan, seen, colors);
  const isLarger = stored.width > plan.width || stored.height > plan.height;
  return [...fitInto(stored, seen, colors), ...(isLarger ? [`crop=${plan.width}:${plan.height}:0:0`] : [])];
}

export function framePixelAspect(video: VideoStream, fromSeconds: number): string {
  // `holdSize` has converted all frames to the first one's shape.
  return isHeld(video) ? ownPixelAspect(video) : seenPixelAspect(video, fromSeconds);
}

/** Deinterlacing and rotation need uniform frames, so they come first. */
export function isHeld({ isInterlaced, turn }: VideoStream): boolean {
  return isInterlaced || turn !== null;
}

export function holdSize(video: VideoStream, fromSeconds: number, colors: readonly string[] = []): string[] {
  // Frames keep their stored orientation until we rotate them.
  const lying = video.turn === null ? video : { ...video, rotation: 0 };
  const pixelAspect = `${seenPixelAspect(lying, fromSeconds)}/${ownPixelAspect(lying)}`;
  return fitInto(storedSize(lying), pixelAspect, [...(video.isInterlaced ? ["interl=-1"] : []), ...colors]);
}

export function ownPixelAspect({ pixelAspect, rotation }: VideoStream): string {
  return (rotation % 180 === 0 ? pixelAspect : 1 / pixelAspect).toFixed(6);
}

/** An expression, because ffmpeg gives all frames the shape of the first. */
export function seenPixelAspect({ pixelAspects }: VideoStream, fromSeconds: number): string {
  const usable = `if(between(sar,1/${MAX_PIXEL_ASPECT},${MAX_PIXEL_ASPECT}),sar,1)`;
  const [first, ...later] = pixelAspects;
  if (!first) return usable;
  return later.reduce(
    (before, change) =>
      `if(gte(t,${(change.fromSeconds - fromSeconds - 0.001).toFixed(6)}),${change.pixelAspect.toFixed(6)},${before})`,
    first.pixelAspect.toFixed(6),
  );
}

export function storedSize({ codedWidth, codedHeight, rotation }: VideoStream): Size {
  const isTurned = rotation % 180 !== 0;
  return { width: isTurned ? codedHeight : codedWidth, height: isTurned ? codedWidth : codedHeight };
}

/** Some distortion, by default 1%, is better than black bars. */
export function fitInto(
  { width, height }: Size,
  pixelAspect: string,
  options: readonly string[],
  maxDistortion = 0.01,
): string[] {
  const shape = `st(0,iw/ih*${pixelAspect})`;
  const along = (full: number, fitted: string) =>
    `'${shape};if(lt(abs(${fitted}-${full}),2+${full}*${maxDistortion}),${full},clip(round(${fitted}),2,${full}))'`;
  const scale = [`w=${along(width, `${height}*ld(0)`)}`, `h=${along(height, `${width}/ld(0)`)}`, "eval=frame"];
  // Padded to even sizes, because chroma may be stored at half of them.
  const full = `w=${width + (width % 2)}:h=${height + (height % 2)}`;
  return [`scale=${[...scale, ...options].join(":")}`, `pad=${full}:x=(ow-iw)/2:y=(oh-ih)/2:eval=frame`];
}

/** A fraction, so that times match frames exactly. */

export type FrameRate = { numerator: number; denominator: number };

const MAX_FRAMES_PER_SECOND = 60;
/** Broadcast rates are a thousandth below the integer. */
const BROADCAST_RATES = [24, 30, 48, 60];

/** Limits the rate to 1 to 60. */
export function outputFrameRate(sourceFramesPerSecond: number): FrameRate {
  const rate = Math.min(MAX_FRAMES_PER_SECOND, Math.max(1, sourceFramesPerSecond));
  const broadcast = BROADCAST_RATES.find((whole) => Math.abs(rate - whole / 1.001) < 0.002);
  if (broadcast) return { numerator: broadcast * 1_000, denominator: 1_001 };
  return Number.isInteger(rate)
    ? { numerator: rate, denominator: 1 }
    : { numerator: Math.round(rate * 1_000), denominator: 1_000 };
}

export function framesIn(seconds: number, rate: FrameRate): number {
  return Math.round((seconds * rate.numerator) / rate.denominator);
}

/** Also the start of the frame with index `frames`. Accepts fractions. */
export function secondsOf(frames: number, rate: FrameRate): number {
  return (frames * rate.denominator) / rate.numerator;
}
