import type { VideoStream } from "../probe/probe-report.ts";
import {
  fitInto,
  framePixelAspect,
  holdSize,
  isHeld,
  ownPixelAspect,
  seenPixelAspect,
  type Size,
  storedSize,
} from "./fit-size.ts";
import { focusExpression } from "./focus/focus-path.ts";
import type { FocusPath, Framing } from "./render-plan.ts";

/** The background is drawn at a sixteenth of the output's size, then scaled up. */
const BACKGROUND_SHARE = 1 / 16;
/** In pixels of that size. */
const BLUR_SIGMA = 2;
/** Sets the picture off from the background. */
const BACKGROUND_BRIGHTNESS = 0.8;
/** Pictures this close to the output's shape are stretched: better than lines at the edges. */
const MAX_DISTORTION = 0.005;
/** A crop that keeps more has nothing to follow. */
const LEAST_CROPPED = 0.98;
/** In pixels: the least that leaves an even band on both sides. */
const LEAST_BANDS = 4;

/**
 * `fromSeconds` is the first frame's source time; `colors` are options of the first scale filter, `convert` converts
 * colors.
 */
export type FrameFilters = { fromSeconds: number; colors: readonly string[]; convert: readonly string[] };

export function fillFrame(video: VideoStream, plan: Size, framing: Framing, frames: FrameFilters): string[] {
  const { fromSeconds, colors, convert } = frames;
  if (framing.fit === "pad")
    return [...fitInto(plan, framePixelAspect(video, fromSeconds), colors, MAX_DISTORTION), ...convert];
  if (!isHeld(video) && !video.isUniform) return [...fillChanging(video, plan, framing, frames), ...convert];
  // In some formats frames may change unannounced, and the crop filter does not check.
  const held = isHeld(video) ? [] : holdSize(video, fromSeconds, colors);
  const stored = toEvenSize(storedSize(video));
  const pixelAspect = Number(ownPixelAspect(video));
  if (framing.fit === "crop") return [...held, ...cropTo(stored, pixelAspect, plan, framing), ...convert];
  const inner = fitInside(stored, pixelAspect, plan);
  return [
    ...held,
    `crop=${stored.width}:${stored.height}:0:0`,
    `scale=${inner.width}:${inner.height}`,
    ...convert,
    ...(inner.width === plan.width && inner.height === plan.height ? [] : surround(inner, plan)),
  ];
}

/** Returns the largest size of the video's shape within another one. */
export function sizeWithin(video: VideoStream, plan: Size): Size {
  return fitInside(toEvenSize(storedSize(video)), Number(ownPixelAspect(video)), plan);
}

function fitInside(stored: Size, pixelAspect: number, { width, height }: Size): Size {
  const shape = (stored.width / stored.height) * pixelAspect;
  return { width: fitAlong(width, height * shape), height: fitAlong(height, width / shape) };
}

function fitAlong(full: number, fitted: number): number {
  if (Math.abs(fitted - full) <= Math.max(LEAST_BANDS, full * MAX_DISTORTION)) return full;
  return Math.max(2, 2 * Math.round(Math.min(full, fitted) / 2));
}

/** The direction in which a crop cuts something off, and the share that it keeps. */
export type Crop = { along: "x" | "y"; kept: number };

/** Returns null if next to nothing is cut off, or if frames may change their size. */
export function cropOf(video: VideoStream, plan: Size): Crop | null {
  if (!isHeld(video) && !video.isUniform) return null;
  const stored = toEvenSize(storedSize(video));
  const shape = (stored.width / stored.height) * Number(ownPixelAspect(video));
  const kept = plan.width / plan.height / shape;
  const crop: Crop = kept < 1 ? { along: "x", kept } : { along: "y", kept: 1 / kept };
  return crop.kept < LEAST_CROPPED ? crop : null;
}

/** Crops to the output's shape first, which is cheaper than scaling the rest; then exactly, after scaling. */
function cropTo(stored: Size, pixelAspect: number, plan: Size, { focusX, focusY, path }: Framing): string[] {
  const scale = Math.max(plan.width / (stored.width * pixelAspect), plan.height / stored.height);
  const isAcross = plan.height / stored.height === scale;
  const focusOf = (isCropped: boolean, focus: number): FocusPath =>
    path && isCropped ? path : [{ fromFrame: 0, toFrame: 0, focus }];
  const across = cropWith(stored.width, plan.width, scale * pixelAspect, focusOf(isAcross, focusX));
  const down = cropWith(stored.height, plan.height, scale, focusOf(!isAcross, focusY));
  return [
    `crop=${across.length}:${down.length}:${across.start}:${down.start}`,
    `scale=${across.scaled}:${down.scaled}`,
    `crop=${plan.width}:${plan.height}:${across.rest}:${down.rest}:exact=1`,
  ];
}

function cropWith(full: number, wanted: number, scale: number, path: FocusPath) {
  return path.length > 1 ? moveAlong(full, wanted, scale, path) : cropAlong(full, wanted, scale, path[0]!.focus);
}

/** Returns the even range to keep, its scaled length, and how much to cut off before the output's first pixel. */
function cropAlong(full: number, wanted: number, scale: number, focus: number) {
  const start = (full - wanted / scale) * focus;
  const from = Math.max(0, 2 * Math.floor(start / 2));
  const to = Math.min(full, 2 * Math.ceil((start + wanted / scale - 0.001) / 2));
  const scaled = Math.max(wanted, Math.round((to - from) * scale));
  const rest = Math.min(scaled - wanted, Math.max(0, Math.round((start - from) * scale)));
  return { start: from, length: to - from, scaled, rest };
}

/** Like `cropAlong`, in expressions, because the crop moves. */
function moveAlong(full: number, wanted: number, scale: number, path: FocusPath) {
  const length = Math.min(full, 2 * Math.ceil(wanted / scale / 2) + 2);
  const start = `st(0,${(full - wanted / scale).toFixed(3)}*(${focusExpression(path)}))`;
  const from = `min(${full - length},2*floor(ld(0)/2))`;
  const scaled = Math.max(wanted, Math.round(length * scale));
  const rest = `min(${scaled - wanted},round((ld(0)-${from})*${scale.toFixed(6)}))`;
  return { start: `'${start};${from}'`, length, scaled, rest: `'${start};${rest}'` };
}

/** Puts the picture over an enlarged, blurred copy, of which only the visible part is drawn. */
function surround(inner: Size, plan: Size): string[] {
  const isBeside = inner.width < plan.width;
  const [first, last] = bandsAround(inner, plan, isBeside);
  const small = smallSize(plan);
  const share = (band: number) =>
    Math.max(2, Math.round((band / (isBeside ? plan.width : plan.height)) * (isBeside ? small.width : small.height)));
  const band = (length: number, place: "start" | "end") => {
    const taken = share(length);
    const at = place === "start" ? 0 : (isBeside ? small.width : small.height) - taken;
    const crop = isBeside ? `${taken}:${small.height}:${at}:0` : `${small.width}:${taken}:0:${at}`;
    const size = isBeside ? `${length}:${plan.height}` : `${plan.width}:${length}`;
    return `crop=${crop}:exact=1,scale=${size}:flags=bilinear`;
  };
  const background = [...cropTo(inner, 1, small, CENTERED), ...soften()];
  return [
    "format=yuv420p",
    [
      "split[picture][copy]",
      `[copy]${background.join(",")},split[start][end]`,
      `[start]${band(first, "start")}[before]`,
      `[end]${band(last, "end")}[after]`,
      `[before][picture][after]${isBeside ? "hstack" : "vstack"}=inputs=3`,
    ].join(";"),
  ];
}

function bandsAround(inner: Size, plan: Size, isBeside: boolean): [number, number] {
  const rest = isBeside ? plan.width - inner.width : plan.height - inner.height;
  const first = 2 * Math.round(rest / 4);
  return [first, rest - first];
}

/** Measures each frame, and cuts off the rest with an overlay. */
function fillChanging(
  video: VideoStream,
  plan: Size,
  framing: Framing,
  { fromSeconds, colors }: FrameFilters,
): string[] {
  const pixelAspect = seenPixelAspect(video, fromSeconds);
  const scaled = (size: Size, choose: "max" | "min") => {
    const shape = `st(0,iw/ih*${pixelAspect})`;
    const along = (full: number, fitted: string) => `'${shape};max(2,2*round(${choose}(${full},${fitted})/2))'`;
    const options = [along(size.width, `${size.height}*ld(0)`), along(size.height, `${size.width}/ld(0)`)];
    return `scale=${[`w=${options[0]}`, `h=${options[1]}`, "eval=frame", ...colors].join(":")}`;
  };
  const format = overlayFormat(video);
  const cover = (size: Size, { focusX, focusY }: Pick<Framing, "focusX" | "focusY">, name: string) =>
    [
      `split[${name}0][${name}1]`,
      `[${name}0]scale=${[size.width, size.height, ...colors].join(":")}[${name}2]`,
      `[${name}1]${scaled(size, "max")}[${name}3]`,
      `[${name}2][${name}3]overlay=x='(W-w)*${focusX}':y='(H-h)*${focusY}':format=${format}`,
    ].join(";");
  if (framing.fit === "crop") return [cover(plan, framing, "cover")];
  const small = cover(smallSize(plan), CENTERED, "small");
  return [
    [
      "split[sharp][soft]",
      `[soft]${[small, ...soften()].join(",")},scale=${plan.width}:${plan.height}:flags=bilinear[background]`,
      `[sharp]${scaled(plan, "min")}[picture]`,
      `[background][picture]overlay=x=(W-w)/2:y=(H-h)/2:format=${format}`,
    ].join(";"),
  ];
}

const CENTERED: Framing = { fit: "crop", focusX: 0.5, focusY: 0.5 };

function soften(): string[] {
  return [`gblur=sigma=${BLUR_SIGMA}`, `lutyuv=y=(val-minval)*${BACKGROUND_BRIGHTNESS}+minval`];
}

/** Colors are converted after the overlay, so it must keep the source's kind. */
function overlayFormat({ pixelFormat }: VideoStream): string {
  if (/rgb|bgr|gbr|pal8/.test(pixelFormat ?? "")) return "gbrp";
  return /p1\d/.test(pixelFormat ?? "") ? "yuv420p10" : "yuv420";
}

function smallSize({ width, height }: Size): Size {
  return { width: evenShare(width), height: evenShare(height) };
}

function evenShare(pixels: number): number {
  return 2 * Math.round((pixels * BACKGROUND_SHARE) / 2);
}

/** Odd sizes lose a line or column; cropping would drop it anyway. */
function toEvenSize({ width, height }: Size): Size {
  return { width: Math.max(2, width - (width % 2)), height: Math.max(2, height - (height % 2)) };
}
