import type { Position } from "#contract/job-settings/choices.ts";
import { FORMAT_SIZES } from "#contract/jobs/outputs/formats.ts";
import type { Platform } from "#contract/jobs/outputs/conformance.ts";
import { PLATFORMS } from "#contract/jobs/outputs/platforms.ts";

/** In pixels. Texts avoid the controls of `platform`; by default those of any app. */
export type Frame = { width: number; height: number; platform?: Platform | null };

/** Pixels from the frame's upper left. */
export type Area = { left: number; right: number; top: number; bottom: number };

export type Box = { x: number; y: number; width: number; height: number };

/** `x` and `y` are the middle, as shares of the frame; they replace the position unless null. */
export type Place = { position: Position; x: number | null; y: number | null };

/** The shape of most short videos, for outputs as their source. */
export const UPRIGHT = FORMAT_SIZES["9:16"];

const SIDE_SHARE = 0.08;
/** Between texts and an edge where a platform covers nothing. */
const LEAST_SHARE = 0.04;
/** A phone screen's height divided by its width. Videos of another shape get bars. */
const SCREEN_SHAPE = 16 / 9;
/** Always reserved for the watermark. Share of the frame's shorter side. */
const WATERMARK_ROOM = 0.055;

/**
 * Excludes app controls. Without a platform: 8 % margins; portrait frames 12 % at the top and, for app captions and
 * buttons, 18 % at the bottom.
 */
export function safeAreaOf({ width, height, platform = null }: Frame): Area {
  if (platform) return uncoveredArea({ width, height }, platform);
  const [topShare, bottomShare] = height > width ? [0.12, 0.18] : [0.08, 0.08];
  return {
    left: width * SIDE_SHARE,
    right: width * (1 - SIDE_SHARE),
    top: height * topShare,
    bottom: height * (1 - bottomShare),
  };
}

/** Both sides get the wider margin, to keep centered text in the middle. */
function uncoveredArea({ width, height }: Frame, platform: Platform): Area {
  const covered = PLATFORMS[platform].covered.value;
  const screen = { width: Math.max(width, height / SCREEN_SHAPE), height: Math.max(height, width * SCREEN_SHAPE) };
  const bars = { x: (screen.width - width) / 2, y: (screen.height - height) / 2 };
  const side = inset(Math.max(covered.left, covered.right), screen.width, bars.x, width);
  return {
    left: side,
    right: width - side,
    top: inset(covered.top, screen.height, bars.y, height),
    bottom: height - inset(covered.bottom, screen.height, bars.y, height),
  };
}

/** `share` is of the screen, `bar` its part beside the frame, `own` the frame's length. */
function inset(share: number, screen: number, bar: number, own: number): number {
  return Math.max(share * screen - bar, LEAST_SHARE * own);
}

/** Leaves out the watermark's line at the bottom. */
export function captionAreaOf(frame: Frame): Area {
  const area = safeAreaOf(frame);
  return { ...area, bottom: area.bottom - Math.min(frame.width, frame.height) * WATERMARK_ROOM };
}

type Side = "start" | "middle" | "end";

const SIDES: Record<Position, [across: Side, down: Side]> = {
  "top-left": ["start", "start"],
  top: ["middle", "start"],
  "top-right": ["end", "start"],
  left: ["start", "middle"],
  center: ["middle", "middle"],
  right: ["end", "middle"],
  "bottom-left": ["start", "end"],
  bottom: ["middle", "end"],
  "bottom-right": ["end", "end"],
};

/** Where a place is across the frame. */
export function sideOf({ position, x }: Place): Side {
  return x === null ? SIDES[position][0] : "middle";
}

/** Returns the upper left corner, inside `area` if it has room. */
export function placeWithin(
  area: Area,
  { width, height }: { width: number; height: number },
  { position, x, y }: Place,
  frame: Frame,
): { x: number; y: number } {
  const [across, down] = SIDES[position];
  return {
    x: along(x ?? across, width, { from: area.left, to: area.right, full: frame.width }),
    y: along(y ?? down, height, { from: area.top, to: area.bottom, full: frame.height }),
  };
}

/** `full` is the frame's length. A number is where the middle should be, as a share of it. */
function along(
  place: Side | number,
  length: number,
  { from, to, full }: { from: number; to: number; full: number },
): number {
  const last = Math.max(from, to - length);
  if (place === "start") return from;
  if (place === "end") return last;
  const middle = (place === "middle" ? 0.5 : place) * full;
  return Math.min(last, Math.max(from, middle - length / 2));
}

/** Rounds to even pixels inside the frame: chroma has half the resolution. */
export function evenBoxAround({ left, right, top, bottom }: Area, frame: Frame): Box {
  const x = toEven(Math.max(0, left));
  const y = toEven(Math.max(0, top));
  return {
    x,
    y,
    width: Math.max(2, toEven(Math.min(frame.width, right + 1) - x)),
    height: Math.max(2, toEven(Math.min(frame.height, bottom + 1) - y)),
  };
}

function toEven(pixels: number): number {
  const whole = Math.floor(pixels);
  return whole - (whole % 2);
}
