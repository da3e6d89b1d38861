import { open } from "node:fs/promises";
import { ClipmillError } from "#contract/errors.ts";
import { MAX_IMAGE_BYTES, uploadTooLarge } from "#contract/library.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";
import { scaleImageArguments } from "../plan/arguments/image-arguments.ts";
import type { Size } from "../plan/fit-size.ts";
import { type ImageHeader, readImageHeader } from "./image-header.ts";

export type ImageFile = ImageHeader & { path: string };

/** Decoding the largest image takes less than two seconds; hostile ones could take minutes. */
const MAX_SCALING_MS = 20_000;
const DAMAGED = "The image is damaged or incomplete.";

/** Throws what `readImageHeader` throws, and "too_large" (bytes). */
export async function readImage(path: string): Promise<ImageFile> {
  await using file = await open(path);
  if ((await file.stat()).size > MAX_IMAGE_BYTES) throw new ClipmillError("too_large", uploadTooLarge("image"));
  return { path, ...readImageHeader(await file.readFile()) };
}

/**
 * Multiplies the alpha by `opacity`. Throws ClipmillError "damaged" if the image cannot be decoded in time, "cancelled"
 * and "no_space".
 */
export async function scaleImage(
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
