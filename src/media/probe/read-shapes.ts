import { openSource } from "../plan/arguments/source-arguments.ts";
import { readLines } from "./read-lines.ts";
import { type PixelAspectChange, readPixelAspects } from "./read-pixel-aspects.ts";
import { readTurn } from "../read-turn.ts";
import type { FfmpegTools } from "../ffmpeg/run-ffmpeg.ts";

/** Bitstream filters that keep only the units describing the frames after them. */
const PARAMETER_SETS: Partial<Record<string, string>> = {
  h264: "h264_mp4toannexb,filter_units=pass_types=7",
  hevc: "hevc_mp4toannexb,filter_units=pass_types=33",
  mpeg2video: "filter_units=pass_types=179",
};
/** Their headers state one pixel shape for the complete stream. */
const STATES_PIXEL_ASPECT = /\b(mov|matroska)\b/;
/** Every frame is a keyframe: decoding them all would cost as much as a render. */
const INTRA_CODECS = new Set(["prores", "dnxhd", "cfhd", "mjpeg", "dvvideo", "ffv1", "png", "rawvideo", "qtrle"]);

/** More than any real video has; in a hostile one, every frame may differ. */
const MOST_SHAPES = 1_000;

export type FrameShape = {
  width: number;
  height: number;
  pixelFormat: string;
  range: string;
  matrix: string;
};

export type Shapes = {
  /** In order of appearance; empty if decoding was unnecessary or failed. */
  shapes: FrameShape[];
  isUniform: boolean;
  pixelAspects: PixelAspectChange[];
  turn: string[] | null;
};

export function headerFilterOf({ codec }: { codec: string }): string | undefined {
  return PARAMETER_SETS[codec];
}

/**
 * Decodes only keyframes, and only if the number of distinct `headers` shows a possible change. Misses VP9 frames that
 * change size between keyframes, and changes within intra-only codecs; those are scaled to the size found.
 */
export async function readShapes(
  tools: FfmpegTools,
  path: string,
  video: { formatName: string; index: number; codec: string; isPlaced: boolean },
  options: { headers: Promise<{ headers: number | null }>; signal?: AbortSignal | undefined },
): Promise<Shapes> {
  const { formatName, index, codec } = video;
  const { signal } = options;
  const filter = PARAMETER_SETS[codec];
  const headers = filter === undefined ? null : (await options.headers).headers;
  if (headers === 1) return { shapes: [], isUniform: true, pixelAspects: [], turn: null };
  const source = [...openSource(path), "-map", `0:${index}`];
  const found = new Map<string, FrameShape>();
  const args = [
    ...["-loglevel", "info", "-skip_frame", "nokey", "-discard:v", "nokey", "-noautorotate", ...source],
    ...(INTRA_CODECS.has(codec) ? ["-frames:v", "1"] : []),
    ...["-vf", "showinfo=checksum=0", "-fps_mode", "passthrough", "-f", "null", "-"],
  ];
  const exitCode = await readLines(tools, path, args, { 2: readShapeLines(found) }, signal);
  return {
    shapes: [...found.values()],
    isUniform: filter === undefined && exitCode === 0 && found.size <= 1,
    pixelAspects:
      filter !== undefined && headers !== null && headers > 1 && !STATES_PIXEL_ASPECT.test(formatName)
        ? await readPixelAspects(tools, path, { source, filter, signal })
        : [],
    turn: video.isPlaced && found.size > 1 ? await readTurn(tools, path, video, signal) : null,
  };
}

const FRAME = /^\[Parsed_showinfo_0 @ \w+\] n: .* fmt:(\w+) .* s:(\d+)x(\d+) /;
const COLORS = /^\[Parsed_showinfo_0 @ \w+\] color_range:(\w+) color_space:(\w+) /;

/** showinfo prints a frame on one line and its colors on a later one. */
function readShapeLines(found: Map<string, FrameShape>): (line: string) => void {
  let frame: Omit<FrameShape, "range" | "matrix"> | null = null;
  return (line) => {
    const [isFrame, pixelFormat = "", width, height] = FRAME.exec(line) ?? [];
    if (isFrame !== undefined) frame = { width: Number(width), height: Number(height), pixelFormat };
    const [isColors, range = "", matrix = ""] = COLORS.exec(line) ?? [];
    if (isColors === undefined || !frame) return;
    const shape = { ...frame, range, matrix };
    if (found.size < MOST_SHAPES) found.set(JSON.stringify(shape), shape);
  };
}
