import { readFile } from "node:fs/promises";
import path from "node:path";
import type { PreviewSettings } from "#contract/job-settings/job-settings.ts";
import type { CaptionPlace } from "#contract/calls.ts";
import { type Area, captionAreaOf, type Frame } from "../captions/layout/frame-areas.ts";
import { type CaptionLook, lookOf } from "../captions/layout/caption-shape.ts";
import { jpegFilters } from "../plan/arguments/output-arguments.ts";
import { stillArguments } from "../plan/arguments/picture-arguments.ts";
import { planFrames } from "../plan/plan-render.ts";
import type { MediaFile } from "../plan/render-plan.ts";
import { drawWatermarkImage } from "../images/draw-watermark-image.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { extractFrame } from "../extract-frame.ts";
import type { TextDrawer } from "../captions/drawing/text-drawer.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";

/** Twice the width shown in the rail. */
const PREVIEW_PIXELS = 540;
const JPEG = ["-c:v", "mjpeg", "-q:v", "3", "-update", "1", "-f", "image2"];
/** Lossless, so that drawings look as they do on the video. */
const LOSSLESS = [
  ...["-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-colorspace", "bt709"],
  ...["-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv", "-f", "mp4"],
  // ffmpeg 7.1 may write a list that lasts 0 s and hides the frame.
  ...["-use_editlist", "0"],
];
const NEUTRAL = "color=c=0x4a4641:s=1080x1920:r=30";

type Run = { folder: string; signal: AbortSignal };

/** The default frame is the thumbnail's. Throws what `extractFrame` throws. */
export async function extractStill(
  tools: MediaTools,
  source: MediaFile,
  run: Run & { atSeconds?: number | null },
): Promise<string> {
  const file = path.join(run.folder, "still.mp4");
  await extractFrame(tools, source, { ...run, step: "still", finish: "null", encode: LOSSLESS, file });
  return file;
}

export async function makeNeutralStill(tools: MediaTools, run: Run): Promise<string> {
  const file = path.join(run.folder, "still.mp4");
  const args = ["-f", "lavfi", "-i", NEUTRAL, "-frames:v", "1", ...LOSSLESS, `file:${file}`];
  await runFfmpeg(tools, { ...run, step: "neutral still", args, isInBackground: true });
  return file;
}

/** A JPEG at most 540 pixels wide; `width` and `height` are the output's. */
export type DrawnStill = { picture: Buffer; width: number; height: number; caption: CaptionPlace | null };

/** Uses a render's plan, drawings and filters. `image` is a path. */
export async function drawOnStill(
  { tools, drawer }: { tools: MediaTools; drawer: TextDrawer },
  still: MediaFile,
  texts: { caption: string | null; watermark: string | null; image: string | null; settings: PreviewSettings },
  run: Run,
): Promise<DrawnStill> {
  const { caption, settings } = texts;
  const plan = planFrames(still.probe, settings);
  const { width, height } = plan;
  const frame = { width, height, platform: settings.platform };
  const fileOf = (name: string) => path.join(run.folder, name);
  const draw = (text: string | null, look: CaptionLook | null, name: string) =>
    text === null ? null : drawer.draw({ text, look, frame, path: fileOf(`${name}.png`) }, run.signal);
  const drawn = await draw(caption, lookOf(settings), "caption");
  const watermark = (await draw(texts.watermark, null, "watermark"))?.drawing ?? null;
  const how = { settings, frame, text: watermark, path: fileOf("image.png"), signal: run.signal, isInBackground: true };
  const image = texts.image === null ? null : await drawWatermarkImage(tools, texts.image, how);
  const args = stillArguments(caption, plan, {
    source: still,
    drawings: new Map(caption !== null && drawn?.drawing ? [[caption, drawn.drawing]] : []),
    watermarks: [image, watermark].filter((drawing) => drawing !== null),
    hasZscale: tools.hasZscale ?? false,
    settings,
    startSeconds: 0,
    finish: jpegFilters(PREVIEW_PIXELS, "bt709"),
    output: [...JPEG, `file:${fileOf("preview.jpg")}`],
  });
  await runFfmpeg(tools, { ...run, step: "preview", args, isInBackground: true });
  const place = drawn?.area ? placeOf(drawn.area, frame) : null;
  return { picture: await readFile(fileOf("preview.jpg")), width, height, caption: place };
}

function placeOf(drawn: Area, frame: Frame): CaptionPlace {
  const room = captionAreaOf(frame);
  const [top, bottom, highest, lowest] = [drawn.top, drawn.bottom, room.top, room.bottom].map((y) => y / frame.height);
  return { top: top!, bottom: bottom!, highest: highest!, lowest: lowest! };
}
