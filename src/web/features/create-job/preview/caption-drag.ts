import type { CaptionPlace } from "#contract/calls.ts";

/** Share of the picture's height. */
const SNAP = 0.02;

/** `y`: the caption's middle, as a share of the picture's height. */
export type Moved = { y: number; snappedTo: "top" | "middle" | "bottom" | null };

/** Returns where the caption's middle can be with all of it in the safe area. */
export function rangeOf({ top, bottom, highest, lowest }: CaptionPlace): { least: number; most: number } {
  const half = (bottom - top) / 2;
  const least = highest + half;
  return { least, most: Math.max(least, lowest - half) };
}

/** Clamps to the safe area; snaps to its edges and to the middle of the picture. */
export function moveTo(y: number, place: CaptionPlace): Moved {
  const { least, most } = rangeOf(place);
  const inside = Math.min(most, Math.max(least, y));
  const targets = [
    { y: least, snappedTo: "top" },
    { y: 0.5, snappedTo: "middle" },
    { y: most, snappedTo: "bottom" },
  ] as const;
  const target = targets.find((one) => Math.abs(one.y - inside) <= SNAP && one.y >= least && one.y <= most);
  return target ? { y: round(target.y), snappedTo: target.snappedTo } : { y: round(inside), snappedTo: null };
}

/** Returns null for other keys. */
export function moveByKey(key: string, y: number, place: CaptionPlace): number | null {
  const { least, most } = rangeOf(place);
  const targets: Record<string, number> = {
    ArrowUp: y - 0.01,
    ArrowDown: y + 0.01,
    PageUp: y - 0.1,
    PageDown: y + 0.1,
    Home: least,
    End: most,
  };
  const target = targets[key];
  return target === undefined ? null : round(Math.min(most, Math.max(least, target)));
}

/** A thousandth is about two pixels of 1920. */
function round(y: number): number {
  return Math.round(y * 1_000) / 1_000;
}
