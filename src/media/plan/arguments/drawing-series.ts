import path from "node:path";
import { sha256Of } from "#ground/checksum.ts";
import { type FrameRate, secondsOf } from "../fit-size.ts";
import type { Layer, PictureRun, Shown } from "../render-plan.ts";

/**
 * `x` and `y` are the upper left corner. With `blankPath`, an empty picture of the same size and place, consecutive
 * drawings share one input: hundreds of inputs, one for each word, would take gigabytes of memory.
 */
export type Drawing = { path: string; x: number; y: number; blankPath?: string };

export type DrawnLayer = { drawing: Drawing; shown: Shown | null };

/** A list of pictures and of how long each is shown, for ffmpeg's concat demuxer. */
type SeriesFile = { path: string; text: string };

type SeriesStack = { layers: DrawnLayer[]; files: SeriesFile[] };

/** Leaves out drawings that are empty. */
export function stackOf(
  layers: readonly Layer[],
  drawings: ReadonlyMap<number, Drawing>,
  { frameRate }: { frameRate: FrameRate },
): SeriesStack {
  const drawn = layers.flatMap(({ drawing, shown }): DrawnLayer[] => {
    const known = drawings.get(drawing);
    return known ? [{ drawing: known, shown }] : [];
  });
  return joinSeries(drawn, frameRate);
}

/** The files that `pictureArguments` names, which must exist. */
export function seriesFiles(
  { lines, into }: Pick<PictureRun, "lines" | "into">,
  drawings: ReadonlyMap<number, Drawing>,
  plan: { frameRate: FrameRate },
): SeriesFile[] {
  return [...lines, ...(into ? [into] : [])].flatMap(({ layers }) => stackOf(layers, drawings, plan).files);
}

/** Replaces consecutive drawings by one layer: a series, which has its own file. */
function joinSeries(layers: readonly DrawnLayer[], rate: FrameRate): SeriesStack {
  const joined: DrawnLayer[] = [];
  const files: SeriesFile[] = [];
  for (const group of groupSeries(layers)) {
    if (group.length === 1) joined.push(group[0]!);
    else {
      const file = listSeries(group, rate);
      files.push(file);
      const { x, y } = group[0]!.drawing;
      joined.push({ drawing: { path: file.path, x, y }, shown: null });
    }
  }
  return { layers: joined, files };
}

function groupSeries(layers: readonly DrawnLayer[]): DrawnLayer[][] {
  const groups: DrawnLayer[][] = [];
  for (const layer of layers) {
    const before = groups.at(-1)?.at(-1);
    const isNext =
      before?.drawing.blankPath !== undefined &&
      before.drawing.blankPath === layer.drawing.blankPath &&
      before.shown !== null &&
      layer.shown !== null &&
      before.shown.toFrame <= layer.shown.fromFrame;
    if (isNext) groups.at(-1)!.push(layer);
    else groups.push([layer]);
  }
  return groups;
}

/** Starts and ends empty: before ffmpeg 6, a filter that is enabled by frames counts those of this input too. */
function listSeries(group: readonly DrawnLayer[], rate: FrameRate): SeriesFile {
  const entries: { file: string; fromFrame: number }[] = [];
  let at = 0;
  for (const { drawing, shown } of group) {
    const { fromFrame, toFrame } = shown!;
    if (fromFrame > at) entries.push({ file: drawing.blankPath!, fromFrame: at });
    entries.push({ file: drawing.path, fromFrame });
    at = toFrame;
  }
  entries.push({ file: group[0]!.drawing.blankPath!, fromFrame: at });
  // By default, pictures have a clock of 25 per second, to which times would be rounded.
  const clock = `option framerate ${rate.numerator}/${rate.denominator}`;
  const lines = entries.map(({ file, fromFrame }, i) => {
    const seconds = secondsOf((entries[i + 1]?.fromFrame ?? at + 1) - fromFrame, rate);
    return `file '${path.basename(file)}'\n${clock}\nduration ${seconds.toFixed(6)}\n`;
  });
  const text = `ffconcat version 1.0\n${lines.join("")}`;
  return { path: path.join(path.dirname(group[0]!.drawing.path), `series-${sha256Of(text)}.ffconcat`), text };
}
