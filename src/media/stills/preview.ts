import { readFile } from "node:fs/promises";
import path from "node:path";
import type { CaptionPlace, LayerPlace, PreviewRequest, PreviewResponse } from "#contract/calls.ts";
import { drawSpecs } from "../captions/drawing/draw-layers.ts";
import { type Area, captionAreaOf, type Frame, safeAreaOf } from "../captions/layout/frame-areas.ts";
import { jpegFilters } from "../plan/arguments/output-arguments.ts";
import { stillArguments } from "../plan/arguments/picture-arguments.ts";
import { createDrawings } from "../plan/layers.ts";
import { planFrames } from "../plan/plan-frames.ts";
import type { MediaFile, TimelineLayer } from "../plan/render-plan.ts";
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
export type DrawnStill = Pick<PreviewResponse, "width" | "height" | "caption" | "layers" | "safe_area"> & {
  picture: Buffer;
};

/** What to draw. `images` has paths by link; a missing one is not drawn. */
export type StillContent = {
  request: Omit<PreviewRequest, "input_video" | "at_seconds">;
  images: ReadonlyMap<string, string>;
};

/** Uses a render's plan, drawings and filters. Shows all layers, whatever their times. */
export async function drawOnStill(
  { tools, drawer }: { tools: MediaTools; drawer: TextDrawer },
  still: MediaFile,
  { request, images }: StillContent,
  run: Run,
): Promise<DrawnStill> {
  const plan = planFrames(still.probe, request);
  const { width, height } = plan;
  const frame = { width, height, platform: request.platform };
  const fileOf = (name: string) => path.join(run.folder, name);
  const drawings = createDrawings();
  const { watermark_text: text, watermark_image: image } = request;
  const watermark = drawings.watermarkLayers({ text, image: images.get(image ?? "") ?? null }, request);
  const layers = drawings.layersOf(request.layers ?? [], { fill: (pattern) => pattern, names: [""], images });
  const caption = request.caption === null ? null : drawings.caption(request.caption);
  const stack = [...watermark.map(placeOf), ...layers.map(placeOf), caption].filter((place) => place !== null);
  const drawn = await drawSpecs(drawings.drawings, new Set(stack), {
    ...{ tools, drawer, settings: request, frame, fileOf, signal: run.signal, isInBackground: true },
  });
  const args = stillArguments(plan, {
    source: still,
    drawings: new Map(
      stack.flatMap((place) => {
        const drawing = drawn.get(place)?.drawing;
        return drawing ? [[place, drawing]] : [];
      }),
    ),
    hasZscale: tools.hasZscale ?? false,
    settings: request,
    startSeconds: 0,
    finish: jpegFilters(PREVIEW_PIXELS, "bt709"),
    output: [...JPEG, `file:${fileOf("preview.jpg")}`],
  });
  await runFfmpeg(tools, { ...run, step: "preview", args, isInBackground: true });
  const areaOf = (place: number | null) => (place === null ? null : (drawn.get(place)?.area ?? null));
  const captionArea = areaOf(caption);
  return {
    picture: await readFile(fileOf("preview.jpg")),
    ...{ width, height },
    caption: captionArea && captionPlace(captionArea, frame),
    layers: layers.map((layer) => toShares(areaOf(placeOf(layer)), frame)),
    safe_area: toShares(safeAreaOf(frame), frame)!,
  };
}

/** A preview has one source. */
function placeOf(layer: TimelineLayer | null): number | null {
  return typeof layer?.drawing === "number" ? layer.drawing : null;
}

function captionPlace(drawn: Area, frame: Frame): CaptionPlace {
  const room = captionAreaOf(frame);
  const [top, bottom, highest, lowest] = [drawn.top, drawn.bottom, room.top, room.bottom].map((y) => y / frame.height);
  return { top: top!, bottom: bottom!, highest: highest!, lowest: lowest! };
}

function toShares(area: Area | null, { width, height }: Frame): LayerPlace | null {
  if (area === null) return null;
  const { left, right, top, bottom } = area;
  return { left: left / width, right: right / width, top: top / height, bottom: bottom / height };
}
