/** The command line that encodes the pictures of one run. Pure. */
import type { VideoStream } from "../probe-report.ts";
import { requireVideo } from "../required-streams.ts";
import { convertColors } from "./convert-colors.ts";
import { type FrameRate, secondsOf } from "./frame-rate.ts";
import type { MediaFile, PictureRun, RenderPlan } from "./render-plan.ts";
import { openDrawing, openSource } from "./source-arguments.ts";

/** A caption or watermark drawn to a transparent picture, and where its left upper corner goes. */
export type Drawing = { path: string; x: number; y: number };

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
    hasZscale: boolean;
    fileOf: (pictureId: string) => string;
  },
): string[] {
  const video = requireVideo(options.source.probe);
  const captions = run.pictures.map(({ caption }) =>
    caption === null ? null : (options.drawings.get(caption) ?? null),
  );
  const drawings = [options.watermark, ...captions].filter((drawing) => drawing !== null);
  const graph = drawGraph(video, plan, { watermark: options.watermark, captions, hasZscale: options.hasZscale });
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
  options: { watermark: Drawing | null; captions: (Drawing | null)[]; hasZscale: boolean },
): string {
  const chains = [`[0:${video.index}]${prepareFrames(video, plan, options.hasZscale).join(",")}[plain]`];
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
  hasZscale: boolean,
): string[] {
  const { numerator, denominator } = plan.frameRate;
  return [
    ...(video.isInterlaced ? ["bwdif=mode=send_frame"] : []),
    `fps=${numerator}/${denominator}:start_time=0`,
    `tpad=stop_mode=clone:stop_duration=${LENGTHEN_SECONDS}`,
    ...fitSize(video, plan),
    ...convertColors(video, hasZscale),
    "format=yuv420p",
    "setsar=1",
    "setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709",
  ];
}

function fitSize(video: VideoStream, plan: { width: number; height: number }): string[] {
  if (!video.hasSquarePixels) return [`scale=${plan.width}:${plan.height}`];
  if (video.width === plan.width && video.height === plan.height) return [];
  // one line or column too many: cutting it off keeps the rest sharp
  if (video.width >= plan.width && video.height >= plan.height) return [`crop=${plan.width}:${plan.height}:0:0`];
  return [`scale=${plan.width}:${plan.height}`];
}

/** The chains that lay drawing number `input` over `[below]`. */
function overlay(below: string, input: number, drawing: Drawing, result: string): string[] {
  return [
    `[${input}:v]scale=out_color_matrix=bt709:out_range=tv,format=yuva420p[drawing${input}]`,
    `[${below}][drawing${input}]overlay=${drawing.x}:${drawing.y}:format=yuv420[${result}]`,
  ];
}
