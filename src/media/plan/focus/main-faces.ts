import type { Face, SeenFrame } from "../../faces/find-faces.ts";
import { type FrameRate, framesIn } from "../fit-size.ts";

/** A face may be turned away for this long. */
export const LONGEST_GAP_SECONDS = 2;
/** Another face is followed only where the main one is missing for longer. */
const LEAST_TURN_SECONDS = 2;
/** Between two looks, in widths and heights of the face. */
const FARTHEST_MOVE = 2.5;
const LARGEST_GROWTH = 2;
/** A face seen once is a mistake, unless there are hardly more looks. */
const LEAST_LOOKS = 2;

/** By look. */
type Track = Map<number, Face>;

export type MainFace = { face: Face; track: Track };

/**
 * Returns the face to follow in each look of one shot, null for none: the largest and most persistent one, and another
 * one only before it comes and after it has gone.
 */
export function mainFaces(looks: readonly SeenFrame[], rate: FrameRate): (MainFace | null)[] {
  const least = looks.length > LEAST_LOOKS ? LEAST_LOOKS : 1;
  const tracks = trackFaces(looks, framesIn(LONGEST_GAP_SECONDS, rate)).filter(({ size }) => size >= least);
  const main: (MainFace | null)[] = looks.map(() => null);
  const lasts = (first: number, end: number) =>
    end > first && looks[end - 1]!.frame - looks[first]!.frame >= framesIn(LEAST_TURN_SECONDS, rate);
  const choose = (from: number, to: number): void => {
    const within = (track: Track) => [...track].filter(([look]) => from <= look && look < to);
    const weightOf = (track: Track) => within(track).reduce((sum, [, face]) => sum + weight(face), 0);
    const [best] = tracks
      .map((track) => ({ track, weight: weightOf(track) }))
      .filter(({ weight }) => weight > 0)
      .toSorted((a, b) => b.weight - a.weight);
    if (!best) return;
    const chosen = within(best.track);
    for (const [look, face] of chosen) main[look] = { face, track: best.track };
    const [first, last] = [chosen[0]![0], chosen.at(-1)![0]];
    if (lasts(from, first)) choose(from, first);
    if (lasts(last + 1, to)) choose(last + 1, to);
  };
  choose(0, looks.length);
  return main;
}

function weight({ width, height, score }: Face): number {
  return Math.sqrt(width * height) * score;
}

/** Connects the faces of consecutive looks, the nearest first. Each track is in order. */
function trackFaces(looks: readonly SeenFrame[], longestGap: number): Track[] {
  const tracks: Track[] = [];
  for (const [look, { frame, faces }] of looks.entries()) {
    const open = tracks.flatMap((track) => {
      const [lastLook, last] = [...track].at(-1)!;
      return frame - looks[lastLook]!.frame <= longestGap ? [{ track, last }] : [];
    });
    const pairs = open
      .flatMap(({ track, last }) => faces.map((face) => ({ track, face, distance: distanceOf(last, face) })))
      .filter(({ distance }) => distance <= FARTHEST_MOVE)
      .toSorted((a, b) => a.distance - b.distance);
    const known = new Set<Face>();
    for (const { track, face } of pairs) {
      if (known.has(face) || track.has(look)) continue;
      track.set(look, face);
      known.add(face);
    }
    for (const face of faces) if (!known.has(face)) tracks.push(new Map([[look, face]]));
  }
  return tracks;
}

/** In mean widths and heights. */
function distanceOf(a: Face, b: Face): number {
  const growth = Math.max(a.width / b.width, b.width / a.width);
  if (growth > LARGEST_GROWTH) return Infinity;
  const across = (a.left + a.width / 2 - b.left - b.width / 2) / ((a.width + b.width) / 2);
  const down = (a.top + a.height / 2 - b.top - b.height / 2) / ((a.height + b.height) / 2);
  return Math.hypot(across, down);
}
