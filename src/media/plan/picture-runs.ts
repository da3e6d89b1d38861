import { identityOf, isShownThroughout, lineOf, within } from "./cut-footage.ts";
import type { PictureLine, PictureRun, PlannedStretch } from "./render-plan.ts";
import { paced } from "./speed.ts";

/** Eight encoders of 1080x1920 stay well below 2 GiB; larger pictures get fewer. */
const PICTURES_PER_RUN = 8;
export const PIXELS_PER_RUN = PICTURES_PER_RUN * 1_080 * 1_920;
/** Longer lines are split, so that their first clips are stored earlier. */
const LINE_SECONDS = 600;

type Line = { stretches: PlannedStretch[] };

/**
 * Joins consecutive stretches of one source under the same layers, and pieces of one stretch, to lines, encoded together,
 * and groups lines over the
 * same range into runs, which decode it once, with as many lines as memory allows. `pixels` is per frame. Keeps the order of
 * `stretches`, so that the first outputs are complete early.
 */
export function gatherRuns(stretches: readonly PlannedStretch[], pixels: number): PictureRun[] {
  const atOnce = Math.max(1, Math.min(PICTURES_PER_RUN, Math.floor(PIXELS_PER_RUN / pixels)));
  const byCuts = Map.groupBy(joinLines(stretches), ({ stretches: [first, ...others] }) =>
    JSON.stringify([
      [first!, ...others].map(({ cut }) => [cut.firstFrame, cut.frames]),
      [first!.source, first!.into, first!.followsSeam, others.at(-1)?.precedesPart ?? first!.precedesPart],
      first!.speed,
    ]),
  );
  const runs = [...byCuts.values()].flatMap((sameCuts) =>
    chunk(sameCuts, atOnce).map((lines) => {
      const { stretches: row } = lines[0]!;
      const { source, speed = 1, into, followsSeam, lines: planned } = row[0]!;
      const { precedesPart } = row.at(-1)!;
      const cuts = row.map(({ cut }) => cut);
      const own = { source, followsSeam, precedesPart, cuts, lines: lines.map(toPictureLine) };
      const run: PictureRun = Object.assign(own, paced(speed));
      if (planned !== undefined) run.encoders = Math.min(planned, atOnce);
      return into ? Object.assign(run, { into }) : run;
    }),
  );
  const places = new Map(stretches.map(({ id }, place) => [id, place]));
  const placeOf = ({ lines }: PictureRun) => places.get(lines[0]!.ids[0]!)!;
  return runs.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function joinLines(stretches: readonly PlannedStretch[]): Line[] {
  const lines: Line[] = [];
  const open = new Map<string, Line>();
  for (const stretch of stretches.toSorted((a, b) => a.cut.firstFrame - b.cut.firstFrame)) {
    const { cut, into, lines: planned, pieceOf } = stretch;
    if (into || planned || !(pieceOf || isShownThroughout(stretch))) {
      lines.push({ stretches: [stretch] });
      continue;
    }
    const before = open.get(endOf(stretch, cut.firstFrame));
    const isJoined = before !== undefined && secondsIn(before) + cut.seconds <= LINE_SECONDS;
    const line = isJoined ? before : { stretches: [] };
    if (!isJoined) lines.push(line);
    line.stretches.push(stretch);
    open.delete(endOf(stretch, cut.firstFrame));
    open.set(endOf(stretch, cut.firstFrame + cut.frames), line);
  }
  return lines;
}

function endOf(stretch: PlannedStretch, frame: number): string {
  return `${stretch.pieceOf ? identityOf(stretch.pieceOf) : lineOf(stretch)} ${frame}`;
}

function secondsIn({ stretches }: Line): number {
  return stretches.reduce((sum, { cut }) => sum + cut.seconds, 0);
}

function toPictureLine({ stretches }: Line): PictureLine {
  const [{ pieceOf, cut, layers }] = stretches as [PlannedStretch];
  const frames = stretches.reduce((sum, one) => sum + one.cut.frames, 0);
  return {
    layers: pieceOf ? within(pieceOf.layers, frames, cut.firstFrame - pieceOf.cut.firstFrame) : layers,
    ids: stretches.map(({ id }) => id),
  };
}

function chunk<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
