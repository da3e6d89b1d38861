/** Which pictures one ffmpeg makes together. Pure. */
import type { PictureLine, PictureRun, PlannedPicture } from "./render-plan.ts";

/** Encoders in one ffmpeg at most: eight of 1080x1920 stay well below 2 GiB; larger pictures get fewer, so that memory stays about there. */
const PICTURES_PER_RUN = 8;
export const PIXELS_PER_RUN = PICTURES_PER_RUN * 1_080 * 1_920;
/** A longer line is made in parts: its first clips are then ready, and safe, before the last are begun. */
const LINE_SECONDS = 600;

type Line = { pieces: PlannedPicture[] };

/**
 * Joins pictures of one caption that follow each other to lines, encoded in one go and cut at key frames, and gathers lines
 * over the same stretch of the source into runs, which decode it once, as many lines as memory allows. `pixels` are a frame's.
 */
export function gatherRuns(pictures: readonly PlannedPicture[], pixels: number): PictureRun[] {
  const atOnce = Math.max(1, Math.min(PICTURES_PER_RUN, Math.floor(PIXELS_PER_RUN / pixels)));
  const byCuts = Map.groupBy(joinLines(pictures), ({ pieces }) =>
    pieces.map(({ cut }) => `${cut.firstFrame}+${cut.frames}`).join(),
  );
  return [...byCuts.values()].flatMap((sameCuts) =>
    chunk(sameCuts, atOnce).map((lines) => ({
      cuts: lines[0]!.pieces.map(({ cut }) => cut),
      lines: lines.map(toPictureLine),
    })),
  );
}

function joinLines(pictures: readonly PlannedPicture[]): Line[] {
  const lines: Line[] = [];
  const open = new Map<string, Line>();
  for (const picture of pictures.toSorted((a, b) => a.cut.firstFrame - b.cut.firstFrame)) {
    const { cut, caption } = picture;
    const before = open.get(endOf(caption, cut.firstFrame));
    const isJoined = before !== undefined && secondsIn(before) + cut.seconds <= LINE_SECONDS;
    const line = isJoined ? before : { pieces: [] };
    if (!isJoined) lines.push(line);
    line.pieces.push(picture);
    open.delete(endOf(caption, cut.firstFrame));
    open.set(endOf(caption, cut.firstFrame + cut.frames), line);
  }
  return lines;
}

/** Where a line of this caption may be gone on with. */
function endOf(caption: string | null, frame: number): string {
  return JSON.stringify([caption, frame]);
}

function secondsIn({ pieces }: Line): number {
  return pieces.reduce((sum, { cut }) => sum + cut.seconds, 0);
}

function toPictureLine({ pieces }: Line): PictureLine {
  return { caption: pieces[0]!.caption, ids: pieces.map(({ id }) => id) };
}

function chunk<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
