import { readFile } from "node:fs/promises";
import path from "node:path";
import type { MediaTools } from "../ffmpeg/tools.ts";
import { readImage, scaleImage } from "./scale-image.ts";

/** Twice the size shown in lists. */
const LONG_EDGE_PIXELS = 128;

/** The longer edge is at most 128 pixels. Writes to `folder`. Throws what `readImage` and `scaleImage` throw. */
export async function drawImageThumbnail(
  tools: MediaTools,
  file: string,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<Buffer> {
  const image = await readImage(file);
  const share = Math.min(1, LONG_EDGE_PIXELS / Math.max(image.width, image.height));
  const size = { width: atLeastOne(image.width * share), height: atLeastOne(image.height * share) };
  const thumbnail = path.join(folder, "thumbnail.png");
  await scaleImage(tools, image, { size, opacity: 1, file: thumbnail, signal, isInBackground: true });
  return await readFile(thumbnail);
}

function atLeastOne(pixels: number): number {
  return Math.max(1, Math.round(pixels));
}
