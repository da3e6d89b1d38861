import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import type { Box, Frame } from "../captions/layout/frame-areas.ts";
import { placeWatermarkImage } from "../captions/layout/place-watermark-image.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";
import type { Drawing } from "../plan/arguments/picture-arguments.ts";
import { readImage, scaleImage } from "./scale-image.ts";

/** `text` is the box of the watermark's text. Throws what `readImage` and `scaleImage` throw. */
export async function drawWatermarkImage(
  tools: MediaTools,
  image: string,
  {
    settings,
    frame,
    text,
    path,
    ...run
  }: {
    settings: StreamSettings<"watermark">;
    frame: Frame;
    text: Box | null;
    path: string;
    signal: AbortSignal;
    isInBackground?: boolean;
  },
): Promise<Drawing> {
  const found = await readImage(image);
  const { x, y, ...size } = placeWatermarkImage(found, settings, frame, text);
  await scaleImage(tools, found, { size, opacity: settings.watermark_opacity, file: path, ...run });
  return { path, x, y };
}
