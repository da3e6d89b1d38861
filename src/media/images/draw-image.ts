import { open, readFile } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { MAX_IMAGE_BYTES, uploadTooLarge } from "#contract/library.ts";
import type { Box, Frame } from "../captions/layout/frame-areas.ts";
import { type ImagePlacement, placeImage } from "../captions/layout/place-image.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";
import { scaleImageArguments } from "../plan/arguments/image-arguments.ts";
import type { Drawing } from "../plan/arguments/drawing-series.ts";
import type { Size } from "../plan/fit-size.ts";
import { type ImageHeader, readImageHeader } from "./image-header.ts";

/** Throws what `readImage` and `scaleImage` throw. */
export async function drawImage(
  tools: MediaTools,
  { path, placement }: { path: string; placement: ImagePlacement },
  {
    frame,
    clearOf,
    path: file,
    ...run
  }: { frame: Frame; clearOf: Box | null; path: string; signal: AbortSignal; isInBackground?: boolean },
): Promise<Drawing & Box> {
  const found = await readImage(path);
  const { x, y, ...size } = placeImage(found, placement, frame, clearOf);
  await scaleImage(tools, found, { size, opacity: placement.opacity, file, ...run });
  return { path: file, x, y, ...size };
}

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

type ImageFile = ImageHeader & { path: string };

/** Decoding the largest image takes less than two seconds; hostile ones could take minutes. */
const MAX_SCALING_MS = 20_000;
const DAMAGED = "The image is damaged or incomplete.";

/** Throws what `readImageHeader` throws, and "too_large" (bytes). */
async function readImage(path: string): Promise<ImageFile> {
  await using file = await open(path);
  if ((await file.stat()).size > MAX_IMAGE_BYTES) throw new ClipmillError("too_large", uploadTooLarge("image"));
  return { path, ...readImageHeader(await file.readFile()) };
}

/**
 * Multiplies the alpha by `opacity`. Throws ClipmillError "damaged" if the image cannot be decoded in time, "cancelled"
 * and "no_space".
 */
async function scaleImage(
  tools: MediaTools,
  image: ImageFile,
  {
    signal,
    isInBackground = false,
    ...result
  }: { size: Size; opacity: number; file: string; signal: AbortSignal; isInBackground?: boolean | undefined },
): Promise<void> {
  const limit = AbortSignal.timeout(MAX_SCALING_MS);
  try {
    await runFfmpeg(tools, {
      step: "image",
      args: scaleImageArguments(image, result),
      isInBackground,
      signal: AbortSignal.any([signal, limit]),
      damagedSentence: DAMAGED,
      unrenderableSentence: DAMAGED,
    });
  } catch (error) {
    if (limit.aborted && !signal.aborted) throw new ClipmillError("damaged", DAMAGED, { cause: error });
    throw error;
  }
}
