/** Finds what changes mid-stream in a video: the size or colors of its frames, or how they are coded. */
import type { Readable } from "node:stream";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { launchCommand } from "./launch.ts";
import { allowDecoders, openSource } from "./plan/source-arguments.ts";
import type { VideoStream } from "./probe-report.ts";
import type { FfmpegTools } from "./run-ffmpeg.ts";

const SECONDS_AT_MOST = 60;
/** The bitstream filter and the type of the NAL unit that describes the frames after it. */
const PARAMETER_SETS: Partial<Record<string, { filter: string; type: number }>> = {
  h264: { filter: "h264_mp4toannexb", type: 7 },
  hevc: { filter: "hevc_mp4toannexb", type: 33 },
};
/** Each of their frames is a keyframe: decoding them all would cost as much as a render. */
const INTRA_CODECS = new Set(["prores", "dnxhd", "cfhd", "mjpeg", "dvvideo", "ffv1", "png", "rawvideo", "qtrle"]);

/** What decoded frames have in common. */
export type FrameShape = {
  width: number;
  height: number;
  pixelFormat: string;
  /** ffmpeg's names; "unknown" if the file does not state them. */
  range: string;
  matrix: string;
};

export type Shapes = {
  /** The distinct ones, in order of appearance; none if nothing had to be decoded, or could be. */
  shapes: FrameShape[];
  /** False if anything changes mid-stream, even if only how frames are coded. */
  isUniform: boolean;
};

/** Reads the shapes of a video's frames. Decodes as little as possible: only keyframes, and only if something may change. */
export async function readShapes(
  tools: FfmpegTools,
  path: string,
  { index, codec }: Pick<VideoStream, "index" | "codec">,
  signal?: AbortSignal,
): Promise<Shapes> {
  const isConstant = (await countParameterSets(tools, path, { index, codec }, signal)) === 1;
  if (isConstant) return { shapes: [], isUniform: true };
  const found = new Map<string, FrameShape>();
  const frames = INTRA_CODECS.has(codec) ? ["-frames:v", "1"] : [];
  const options = ["-skip_frame", "nokey", "-discard:v", "nokey", "-noautorotate"];
  const args = [
    ...["-nostdin", "-hide_banner", "-loglevel", "info", "-nostats", ...options, ...openSource(path)],
    ...["-map", `0:${index}`, ...frames, "-vf", "showinfo=checksum=0", "-fps_mode", "passthrough", "-f", "null", "-"],
  ];
  const isWhole = await readLines(tools, args, "stderr", signal, readShapeLines(found));
  const isKnown = codec in PARAMETER_SETS ? false : isWhole;
  return { shapes: [...found.values()], isUniform: isKnown && found.size <= 1 };
}

/** Returns the number of distinct parameter sets of a stream, without decoding it; null for other codecs and damaged files. */
async function countParameterSets(
  tools: FfmpegTools,
  path: string,
  { index, codec }: Pick<VideoStream, "index" | "codec">,
  signal?: AbortSignal,
): Promise<number | null> {
  const sets = PARAMETER_SETS[codec];
  if (!sets) return null;
  const args = [
    ...["-nostdin", "-hide_banner", "-loglevel", "error", ...openSource(path), "-map", `0:${index}`, "-c", "copy"],
    ...["-bsf:v", `${sets.filter},filter_units=pass_types=${sets.type}`, "-f", "framecrc", "pipe:1"],
  ];
  const found = new Set<string>();
  const isWhole = await readLines(tools, args, "stdout", signal, (line) => {
    const [, set] = /^0,(?:[^,]*,){3} *(\d+, 0x[0-9a-f]+)/.exec(line) ?? [];
    if (set !== undefined) found.add(set);
  });
  return isWhole ? found.size : null;
}

const FRAME = /^\[Parsed_showinfo_0 @ \w+\] n: .* fmt:(\w+) .* s:(\d+)x(\d+) /;
const COLORS = /^\[Parsed_showinfo_0 @ \w+\] color_range:(\w+) color_space:(\w+) /;

/** Returns a reader of the showinfo filter's lines, which describe a frame in one line and its colors in a later one. */
function readShapeLines(found: Map<string, FrameShape>): (line: string) => void {
  let frame: Omit<FrameShape, "range" | "matrix"> | null = null;
  return (line) => {
    const [isFrame, pixelFormat = "", width, height] = FRAME.exec(line) ?? [];
    if (isFrame !== undefined) frame = { width: Number(width), height: Number(height), pixelFormat };
    const [isColors, range = "", matrix = ""] = COLORS.exec(line) ?? [];
    if (isColors === undefined || !frame) return;
    const shape = { ...frame, range, matrix };
    found.set(JSON.stringify(shape), shape);
  };
}

/** Runs ffmpeg and reads one of its outputs. Returns whether it read the whole file. */
async function readLines(
  tools: FfmpegTools,
  args: string[],
  output: "stdout" | "stderr",
  signal: AbortSignal | undefined,
  read: (line: string) => void,
): Promise<boolean> {
  const command = launchCommand(tools.ffmpeg, allowDecoders(args, tools.codecs), tools.encoder);
  const child = execa(command.file, command.args, {
    ...command.options,
    stdin: "ignore",
    [output === "stdout" ? "stderr" : "stdout"]: "ignore",
    buffer: false,
    reject: false,
    timeout: SECONDS_AT_MOST * 1_000,
    forceKillAfterDelay: 500,
    ...(signal ? { cancelSignal: signal } : {}),
  });
  for await (const line of createInterface({ input: child[output] as Readable })) read(line);
  return (await child).exitCode === 0;
}
