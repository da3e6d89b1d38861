/** A file with subtitles is encoded in pieces, so that a correction encodes only those with other text again. No zod: the editor loads it. */

/** A correction encodes about one of so many again. */
const MOST_PIECES = 15;
/** Each piece starts with a keyframe, which costs bytes. */
const LEAST_SECONDS = 4;

/** Pieces are about equally long. */
export function countPieces(seconds: number): number {
  return Math.max(1, Math.min(MOST_PIECES, Math.floor(seconds / LEAST_SECONDS)));
}

/** A cut is at most this share of a piece away from its place, because cuts avoid the middle of a text. */
export const PIECE_SLACK = 1 / 3;

/** Returns about how many of a file's `seconds` show `spans`, in pieces. Times are on the file's clock. */
export function secondsOfPieces(
  seconds: number,
  spans: readonly { startSeconds: number; endSeconds: number }[],
): number {
  const count = countPieces(seconds);
  const length = seconds / count;
  const found = new Set<number>();
  for (const { startSeconds, endSeconds } of spans) {
    const [start, end] = [Math.max(0, startSeconds), Math.min(seconds, endSeconds)];
    if (end <= start) continue;
    const inner = Math.min(PIECE_SLACK * length, (end - start) / 2);
    const last = Math.min(count - 1, Math.floor((end - inner) / length));
    for (let i = Math.floor((start + inner) / length); i <= last; i += 1) found.add(i);
  }
  return found.size * length;
}
