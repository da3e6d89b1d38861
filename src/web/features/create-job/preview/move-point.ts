import type { LayerPlace } from "#contract/calls.ts";

/** Shares of the picture's width and height. */
export type Point = { x: number; y: number };

/** The middle of what is moved; `snappedX` and `snappedY` are the lines that it keeps to. */
export type Moved = { point: Point; snappedX: number | null; snappedY: number | null };

export const SNAP = 0.02;

/** Keeps `area` inside `room`, and snaps to the room's edges and the picture's middle. */
export function movePoint(wanted: Point, area: LayerPlace, room: LayerPlace, snap = SNAP): Moved {
  const across = moveAlong(wanted.x, area.right - area.left, { from: room.left, to: room.right, snap });
  const down = moveAlong(wanted.y, area.bottom - area.top, { from: room.top, to: room.bottom, snap });
  return { point: { x: across.at, y: down.at }, snappedX: across.line, snappedY: down.line };
}

const STEP = 0.01;
const KEYS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

/** Returns null for other keys. */
export function movePointByKey(key: string, { x, y }: Point, area: LayerPlace, room: LayerPlace): Point | null {
  const step = KEYS[key];
  return step ? movePoint({ x: x + step.x, y: y + step.y }, area, room, 0).point : null;
}

type Side = { from: number; to: number };

/** Returns where the middle can be while the whole `length` stays between `from` and `to`. */
export function rangeOf(length: number, { from, to }: Side): { least: number; most: number } {
  const least = from + length / 2;
  return { least, most: Math.max(least, to - length / 2) };
}

/** Moves the middle in one direction, as `movePoint` does in both. */
export function moveAlong(
  wanted: number,
  length: number,
  { from, to, snap }: Side & { snap: number },
): { at: number; line: number | null } {
  const { least, most } = rangeOf(length, { from, to });
  const at = Math.min(most, Math.max(least, wanted));
  const targets = [
    { at: least, line: from },
    { at: 0.5, line: 0.5 },
    { at: most, line: to },
  ];
  const near = targets.find((target) => target.at >= least && target.at <= most && Math.abs(target.at - at) < snap);
  return { at: round(near?.at ?? at), line: near?.line ?? null };
}

/** A thousandth is about a pixel of 1080. */
function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}
