/** ffmpeg gives all frames the pixel shape of the first, so the headers are read. */
import { readLines } from "./read-lines.ts";
import type { FfmpegTools } from "../ffmpeg/run-ffmpeg.ts";

/** Width divided by height, from this time of the file on. */
export type PixelAspectChange = { fromSeconds: number; pixelAspect: number };

const MAX_CHANGES = 50;
/** By aspect_ratio_idc of H.264 and HEVC (ITU-T H.273, table 10); 255 is followed by width and height. */
const PIXEL_ASPECTS: readonly number[] = [
  ...[1, 1, 12 / 11, 10 / 11, 16 / 11, 40 / 33, 24 / 11, 20 / 11, 32 / 11, 80 / 33, 18 / 11, 15 / 11, 64 / 33],
  ...[160 / 99, 4 / 3, 3 / 2, 2],
];
/** By aspect_ratio_information of MPEG-2 (ISO/IEC 13818-2, table 6-3): aspects of the complete picture. */
const PICTURE_ASPECTS: Partial<Record<number, number>> = { 2: 4 / 3, 3: 16 / 9, 4: 2.21 };

const FIELD = /^\[trace_headers @ \w+\] \d+ +(\w+) .* = (\d+)$/;
const UNIT = /^#tb 0: (\d+)\/(\d+)$/;
const PACKET = /^0, *(-?\d+), *(-?\d+),/;
const NO_TIME = -(2 ** 63);

/** `filter` keeps only the stream's headers. The first change starts with the file. */
export async function readPixelAspects(
  tools: FfmpegTools,
  path: string,
  { source, filter, signal }: { source: readonly string[]; filter: string; signal?: AbortSignal | undefined },
): Promise<PixelAspectChange[]> {
  const changes: PixelAspectChange[] = [];
  let fields = new Map<string, number>();
  let secondsPerUnit = 0;
  let delay = 0;
  const args = ["-loglevel", "info", ...source, "-c", "copy", "-bsf:v", `${filter},trace_headers`, "-f", "framecrc"];
  // The packet list goes to the same pipe as the fields, to give the time from which they apply.
  const read = (line: string): void => {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name !== undefined) fields.set(name, Number(value));
    const [, above, below] = UNIT.exec(line) ?? [];
    if (above !== undefined) secondsPerUnit = Number(above) / Number(below);
    const [isPacket, decoding, time] = PACKET.exec(line) ?? [];
    if (isPacket === undefined) return;
    // Program streams time only some pictures; the others are shown at a constant delay after decoding.
    const isTimed = Number(time) !== NO_TIME;
    if (isTimed && changes.length === 0) delay = Number(time) - Number(decoding);
    const begins = isTimed ? Number(time) : Number(decoding) + delay;
    const pixelAspect = pixelAspectOf(fields);
    fields = new Map();
    const isNew = Math.abs((changes.at(-1)?.pixelAspect ?? 0) - pixelAspect) > 0.001;
    if (!isNew || changes.length >= MAX_CHANGES) return;
    changes.push({ fromSeconds: changes.length === 0 ? 0 : begins * secondsPerUnit, pixelAspect });
  };
  await readLines(tools, path, [...args, "-flush_packets", "1", "pipe:2"], { 2: read }, signal);
  return changes.length > 1 ? changes : [];
}

function pixelAspectOf(fields: ReadonlyMap<string, number>): number {
  const width = fields.get("horizontal_size_value");
  const height = fields.get("vertical_size_value");
  if (width && height) {
    const pictureAspect = PICTURE_ASPECTS[fields.get("aspect_ratio_information") ?? 1];
    return pictureAspect === undefined ? 1 : (pictureAspect * height) / width;
  }
  const [across = 0, down = 0] = [fields.get("sar_width"), fields.get("sar_height")];
  return across > 0 && down > 0 ? across / down : (PIXEL_ASPECTS[fields.get("aspect_ratio_idc") ?? 0] ?? 1);
}
