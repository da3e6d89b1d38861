/** The command line that encodes the pictures of one run. Pure. */
import type { VideoStream } from "../probe-report.ts";
import { requireVideo } from "../required-streams.ts";
import { type FrameRate, secondsOf } from "./frame-rate.ts";
import type { MediaFile, PictureRun, RenderPlan } from "./render-plan.ts";
import { openDrawing, openSource } from "./source-arguments.ts";

/** A caption or watermark drawn to a transparent picture, and where its left upper corner goes. */
export type Drawing = { path: string; x: number; y: number };

/** Height up to which a source that names no colour matrix is taken for standard definition, as players do. */
const STANDARD_DEFINITION_HEIGHT = 576;
/** A source may end a little before its header says; its last frame then stands for the missing ones. */
const LENGTHEN_SECONDS = 0.2;

/**
 * The arguments that decode the run's stretch once and encode each of its pictures to `fileOf(picture id)`, as H.264 high,
 * yuv420p, bt709, without sound. `drawings` holds the caption pictures by text.
 */
export function pictureArguments(
  run: PictureRun,
  plan: Pick<RenderPlan, "width" | "height" | "frameRate">,
  options: {
    source: MediaFile;
    drawings: ReadonlyMap<string, Drawing>;
    watermark: Drawing | null;
    threadsPerEncoder: number;
    canToneMap: boolean;
    fileOf: (pictureId: string) => string;
  },
): string[] {
  const video = requireVideo(options.source.probe);
  const captions = run.pictures.map(({ caption }) =>
    caption === null ? null : (options.drawings.get(caption) ?? null),
  );
  const drawings = [options.watermark, ...captions].filter((drawing) => drawing !== null);
  const graph = drawGraph(video, plan, { watermark: options.watermark, captions, canToneMap: options.canToneMap });
  return [
    ...openSource(options.source.path, { startSeconds: seekSeconds(run, plan.frameRate) }),
    ...drawings.flatMap((drawing) => openDrawing(drawing.path)),
    ...["-filter_complex", graph],
    ...run.pictures.flatMap(({ id }, i) => [
      ...["-map", `[picture${i}]`, "-frames:v", String(run.cut.frames)],
      ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "22", "-profile:v", "high", "-pix_fmt", "yuv420p"],
      ...["-threads", String(options.threadsPerEncoder)],
      ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"],
      ...["-map_metadata", "-1", "-f", "mp4", `file:${options.fileOf(id)}`],
    ]),
  ];
}

/** A quarter of a frame early, so that rounding never loses the first frame; the fps filter brings it back to zero. */
function seekSeconds(run: PictureRun, rate: FrameRate): number {
  return Math.max(0, run.cut.startSeconds - secondsOf(0.25, rate));
}

function drawGraph(
  video: VideoStream,
  plan: Pick<RenderPlan, "width" | "height" | "frameRate">,
  options: { watermark: Drawing | null; captions: (Drawing | null)[]; canToneMap: boolean },
): string {
  const chains = [`[0:${video.index}]${prepareFrames(video, plan, options.canToneMap).join(",")}[plain]`];
  let input = 1;
  let shared = "plain";
  if (options.watermark) {
    chains.push(...overlay("plain", input++, options.watermark, "marked"));
    shared = "marked";
  }
  const copies = options.captions.map((_, i) => `[copy${i}]`).join("");
  chains.push(`[${shared}]split=${options.captions.length}${copies}`);
  options.captions.forEach((caption, i) => {
    if (caption) chains.push(...overlay(`copy${i}`, input++, caption, `picture${i}`));
    else chains.push(`[copy${i}]null[picture${i}]`);
  });
  return chains.join(";");
}

/** The filters from decoded frames (turned upright by ffmpeg) to frames of the output's size, rate and colours. */
function prepareFrames(
  video: VideoStream,
  plan: Pick<RenderPlan, "width" | "height" | "frameRate">,
  canToneMap: boolean,
): string[] {
  const { numerator, denominator } = plan.frameRate;
  return [
    ...(video.isInterlaced ? ["bwdif=mode=send_frame"] : []),
    `fps=${numerator}/${denominator}:start_time=0`,
    `tpad=stop_mode=clone:stop_duration=${LENGTHEN_SECONDS}`,
    ...(video.isHdr && canToneMap ? TONE_MAPPING : []),
    ...fitSize(video, plan),
    ...(video.isHdr && canToneMap ? [] : convertColors(video)),
    "format=yuv420p",
    "setsar=1",
    "setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709",
  ];
}

const TONE_MAPPING = [
  "zscale=transfer=linear:npl=203",
  "format=gbrpf32le",
  "zscale=primaries=bt709",
  "tonemap=tonemap=hable:desat=0",
  "zscale=transfer=bt709:matrix=bt709:range=tv",
];

function fitSize(video: VideoStream, plan: { width: number; height: number }): string[] {
  if (!video.hasSquarePixels) return [`scale=${plan.width}:${plan.height}`];
  if (video.width === plan.width && video.height === plan.height) return [];
  // one line or column too many: cutting it off keeps the rest sharp
  if (video.width >= plan.width && video.height >= plan.height) return [`crop=${plan.width}:${plan.height}:0:0`];
  return [`scale=${plan.width}:${plan.height}`];
}

/** Brings any other colour matrix or range to bt709, limited. */
function convertColors(video: VideoStream): string[] {
  const matrix = SCALE_MATRIX_NAMES[video.colorMatrix ?? ""] ?? guessMatrix(video);
  if (matrix === "bt709" && !video.isFullRange) return [];
  const input = matrix === "auto" ? "" : `in_color_matrix=${matrix}:`;
  return [`scale=${input}in_range=${video.isFullRange ? "pc" : "tv"}:out_color_matrix=bt709:out_range=tv`];
}

/** From ffprobe's names of colour matrices to those of the scale filter. */
const SCALE_MATRIX_NAMES: Record<string, string> = {
  bt709: "bt709",
  smpte170m: "smpte170m",
  bt470bg: "bt470",
  fcc: "fcc",
  smpte240m: "smpte240m",
  bt2020nc: "bt2020",
  bt2020c: "bt2020",
  gbr: "auto",
};

function guessMatrix(video: VideoStream): string {
  if (/rgb|bgr|gbr|pal8/.test(video.pixelFormat ?? "")) return "auto";
  return Math.min(video.codedHeight, video.codedWidth) <= STANDARD_DEFINITION_HEIGHT ? "bt601" : "bt709";
}

/** The chains that lay drawing number `input` over `[below]`. */
function overlay(below: string, input: number, drawing: Drawing, result: string): string[] {
  return [
    `[${input}:v]scale=out_color_matrix=bt709:out_range=tv,format=yuva420p[drawing${input}]`,
    `[${below}][drawing${input}]overlay=${drawing.x}:${drawing.y}:format=yuv420[${result}]`,
  ];
}
