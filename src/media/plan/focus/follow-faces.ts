import type { Face, SeenFaces, SeenFrame } from "../../faces/find-faces.ts";
import type { VideoStream } from "../../probe/probe-report.ts";
import { type Crop, cropOf } from "../fill-frame.ts";
import { type FrameRate, framesIn } from "../fit-size.ts";
import type { FocusMove, FocusPath, FramePlan, Framing } from "../render-plan.ts";
import { LONGEST_GAP_SECONDS, type MainFace, mainFaces } from "./main-faces.ts";

/** Kept free beside a face, in its own widths and heights: for hair, and movement between two looks. */
const ROOM = { x: { before: 0.25, after: 0.25 }, y: { before: 0.5, after: 0.25 } } as const;
/** A face may move within at least this share of what is shown before the crop does, even if it nearly fills it. */
const LEAST_DEAD_ZONE = 0.15;
const LONGEST_MOVE_SECONDS = 0.4;
/** The crop does not follow a face that moves faster. Longer than a move. */
const LEAST_HOLD_SECONDS = 0.5;
/** With the jumps at cuts, the crop moves on less than a fifth of the frames. */
const LARGEST_MOVE = 1 / 7;
/** A shorter shot without a face is a flash or an insert. */
const LEAST_SHOT_SECONDS = 1;
/** At a cut, the crop stays if it is right for the new shot and this close to the best place, as a share of the crop. */
const CLOSE_ENOUGH = 0.1;
/** Rounding errors are no moves. */
const EXACT = 1e-9;
/** With more, the filter graph would exceed 128 KiB, Linux's limit for one argument. */
const MOST_MOVES = 600;

/** Moves a crop with the main face of each shot. Where there is none, the fixed focus holds. */
export function followFaces(
  framing: Framing,
  faces: SeenFaces,
  video: VideoStream,
  { frameRate, ...size }: Pick<FramePlan, "width" | "height" | "frameRate">,
): Framing {
  const crop = framing.fit === "crop" ? cropOf(video, size) : null;
  if (!crop) return framing;
  const path = planFocus(faces, crop, { fixed: crop.along === "x" ? framing.focusX : framing.focusY, rate: frameRate });
  return path ? { ...framing, path } : framing;
}

type Options = { fixed: number; rate: FrameRate };

/** Returns null without faces. */
export function planFocus(seen: SeenFaces, crop: Crop, { fixed, rate }: Options): FocusPath | null {
  const moves: FocusMove[] = [];
  let hasFaces = false;
  const add = (move: FocusMove) => {
    const last = moves.at(-1);
    if (!last || Math.abs(last.focus - move.focus) > EXACT) moves.push(move);
  };
  for (const { firstFrame, endFrame, looks } of shotsOf(seen)) {
    const limits = limitsIn({ firstFrame, endFrame }, looks, mainFaces(looks, rate), { crop, rate });
    if (limits) {
      hasFaces = true;
      const before = moves.length === 0 ? null : moves.at(-1)!.focus * (1 - crop.kept);
      for (const { fromFrame, toFrame, start } of holdsIn(limits, { before, crop, rate })) {
        const focus = start / (1 - crop.kept);
        add({ fromFrame: firstFrame + fromFrame, toFrame: firstFrame + toFrame, focus });
      }
    } else if (moves.length === 0 || endFrame - firstFrame >= framesIn(LEAST_SHOT_SECONDS, rate)) {
      add({ fromFrame: firstFrame, toFrame: firstFrame, focus: fixed });
    }
  }
  return hasFaces ? longestStays(moves) : null;
}

function longestStays(moves: readonly FocusMove[]): FocusMove[] {
  if (moves.length <= MOST_MOVES) return [...moves];
  const stayOf = (i: number) => (i === 0 ? Infinity : (moves[i + 1]?.fromFrame ?? Infinity) - moves[i]!.toFrame);
  const stays = moves.map((move, i) => ({ move, stay: stayOf(i) })).toSorted((a, b) => b.stay - a.stay);
  const kept = new Set(stays.slice(0, MOST_MOVES).map(({ move }) => move));
  return moves.filter((move) => kept.has(move));
}

type Shot = { firstFrame: number; endFrame: number };

function shotsOf({ firstFrame, frames, seen }: SeenFaces): (Shot & { looks: SeenFrame[] })[] {
  const cuts = seen.filter(({ startsShot, frame }) => startsShot && frame > firstFrame).map(({ frame }) => frame);
  return [firstFrame, ...cuts].map((first, i) => {
    const endFrame = cuts[i] ?? firstFrame + frames;
    const looks = seen.filter(({ frame }) => frame >= first && frame < endFrame);
    return { firstFrame: first, endFrame, looks };
  });
}

/** Where the crop may start in each frame of a shot, in shares of the picture; NaN for anywhere. */
type Limits = { least: Float64Array; most: Float64Array };

/** Between two looks, a face is taken to move evenly. Returns null without a face. */
function limitsIn(
  { firstFrame, endFrame }: Shot,
  looks: readonly SeenFrame[],
  faces: readonly (MainFace | null)[],
  { crop, rate }: { crop: Crop; rate: FrameRate },
): Limits | null {
  const known = looks.flatMap(({ frame }, i) => {
    const main = faces[i];
    return main ? [{ frame: frame - firstFrame, track: main.track, ...allowed(main.face, crop) }] : [];
  });
  if (known.length === 0) return null;
  const frames = endFrame - firstFrame;
  const limits = { least: new Float64Array(frames).fill(NaN), most: new Float64Array(frames).fill(NaN) };
  const furthest = framesIn(LONGEST_GAP_SECONDS, rate);
  const toStart = (value: number) => Math.min(Math.max(value, 0), 1 - crop.kept);
  for (const [i, look] of known.entries()) {
    const next = known[i + 1];
    // After the last look, the face moves on for as long as between two.
    const [from, to] = next ? [look, next] : [known[i - 1] ?? look, look];
    const length = to.frame - from.frame;
    const isSame = from.track === to.track && length > 0 && length <= furthest;
    const end = Math.min(frames, look.frame + (isSame ? length : 1));
    for (let frame = look.frame; frame < end; frame++) {
      const share = isSame ? (frame - from.frame) / length : Number(next === undefined);
      limits.least[frame] = toStart(from.least + (to.least - from.least) * share);
      limits.most[frame] = toStart(from.most + (to.most - from.most) * share);
    }
  }
  return limits;
}

/** Returns where the crop may start, so that the face and the room beside it are inside. */
function allowed({ left, top, width, height }: Face, { along, kept }: Crop): { least: number; most: number } {
  const [start, length] = along === "x" ? [left, width] : [top, height];
  const { before, after } = ROOM[along];
  const [from, to] = [start - before * length, start + (1 + after) * length];
  const middle = (from + to - kept) / 2;
  const half = Math.max(kept - (to - from), kept * LEAST_DEAD_ZONE) / 2;
  return { least: middle - half, most: middle + half };
}

type Hold = { fromFrame: number; toFrame: number; start: number };

/**
 * Returns where the crop starts, in frames of the shot. It holds for as long as the face stays inside, and moves to the
 * next place while both are right. `before` is where it starts in the frame before.
 */
function holdsIn(
  { least, most }: Limits,
  { before, crop, rate }: { before: number | null; crop: Crop; rate: FrameRate },
): Hold[] {
  const leastHold = Math.max(1, framesIn(LEAST_HOLD_SECONDS, rate));
  const longestMove = framesIn(LONGEST_MOVE_SECONDS, rate);
  const holds: Hold[] = [];
  let [from, moves] = [0, 0];
  for (;;) {
    let [low, high, sum, count] = [-Infinity, Infinity, 0, 0];
    let end = from;
    for (; end < least.length; end++) {
      if (Number.isNaN(least[end]!)) continue;
      const isInside = Math.max(low, least[end]!) <= Math.min(high, most[end]!);
      if (!isInside && end - from >= leastHold) break;
      low = Math.max(low, least[end]!);
      high = Math.min(high, most[end]!);
      sum += (least[end]! + most[end]!) / 2;
      count += 1;
    }
    // A face that is too fast is missed on both sides alike.
    const start = low <= high ? Math.min(Math.max(sum / count, low), high) : (low + high) / 2;
    const mayStay = from === 0 && before !== null && low <= before && before <= high;
    const stays = mayStay && Math.abs(before - start) <= crop.kept * CLOSE_ENOUGH;
    holds.push({ fromFrame: from, toFrame: from + moves, start: stays ? before : start });
    if (end === least.length) return holds;
    moves = Math.min(longestMove, Math.floor((end - from) * LARGEST_MOVE));
    from = end - moves;
  }
}
