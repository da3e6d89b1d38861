import { countPieces, PIECE_SLACK } from "#contract/transcripts/pieces.ts";
import { afterFades } from "../chunks/cut-chunks.ts";
import { cutAt } from "../cut-footage.ts";
import { type FrameRate, secondsOf } from "../fit-size.ts";
import type { DrawingSpec, Footage } from "../render-plan.ts";

/**
 * Cuts a stretch with subtitles into pieces, between what is shown at a time, so that a corrected word encodes only its piece
 * again. Where to cut depends on the subtitles nearby, so that a correction moves no other cut.
 */
export function cutAtCues(stretch: Footage, drawings: readonly DrawingSpec[], rate: FrameRate): Footage[] {
  const { firstFrame, frames } = stretch.cut;
  const edges = cueEdges(stretch, drawings);
  const count = countPieces(secondsOf(frames, rate));
  if (edges.length === 0) return [stretch];
  const length = frames / count;
  const points = Array.from({ length: count - 1 }, (_, i) => nearest(edges, (i + 1) * length, length * PIECE_SLACK))
    // A piece would lose a fade that it holds only in part.
    .filter((frame) => afterFades(stretch.layers, frame) === frame);
  if (points.length === 0) return [stretch];
  const pieces = cutAt(
    stretch,
    points.map((frame) => firstFrame + frame),
    rate,
  );
  return pieces.map((piece) => Object.assign(piece, { pieceOf: stretch }));
}

/** Returns the frames at which another text or none is shown. A word that is marked in turn changes no text. */
function cueEdges({ layers }: Footage, drawings: readonly DrawingSpec[]): number[] {
  const cues: { text: string; mark: string; fromFrame: number; toFrame: number }[] = [];
  for (const { drawing, shown } of layers) {
    const spec = drawings[drawing]!;
    if (spec.kind !== "subtitle" || !shown) continue;
    const { fromFrame, toFrame } = shown;
    const text = JSON.stringify(spec.subtitle.rows);
    const last = cues.at(-1);
    const mark = JSON.stringify(spec.subtitle.mark);
    const isSame = last?.text === text && last.mark !== mark && last.toFrame === fromFrame;
    if (isSame) Object.assign(last, { mark, toFrame });
    else cues.push({ text, mark, fromFrame, toFrame });
  }
  return cues.flatMap(({ fromFrame, toFrame }) => [fromFrame, toFrame]);
}

/** Returns `frame`, rounded, if no edge is at most `most` frames away. */
function nearest(edges: readonly number[], frame: number, most: number): number {
  let best = Math.round(frame);
  let distance = most;
  for (const edge of edges) {
    if (Math.abs(edge - frame) > distance) continue;
    distance = Math.abs(edge - frame);
    best = edge;
  }
  return best;
}
