/** Groups pictures into ffmpeg runs. Pure. */
import type { PictureLine, PictureRun, PlannedPicture } from "./render-plan.ts";

/**
 * Maximum encoders in one ffmpeg. Eight of 1080x1920 stay well below 2 GiB; larger pictures get fewer, to keep memory
 * about there.
 */
const PICTURES_PER_RUN = 8;
export const PIXELS_PER_RUN = PICTURES_PER_RUN * 1_080 * 1_920;
/** A longer line is split, so that its first clips are finished and stored before the last ones start. */
const LINE_SECONDS = 600;

type Line = { pieces: PlannedPicture[] };

/**
 * Joins consecutive pictures of one caption to lines, encoded together and split at keyframes, and groups lines over
 * the same range into runs, which decode it once, as many lines as memory allows. `pixels` is the number in a frame.
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

/** Returns the key under which a line of this caption can be continued. */
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
