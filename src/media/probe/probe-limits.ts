import { ClipmillError, type ErrorDetails } from "#contract/errors.ts";
import { MAX_PIXELS, MAX_STREAMS } from "../plan/arguments/source-arguments.ts";
import type { VideoStream } from "./probe-report.ts";

const MAX_HOURS = 12;
/** Limit of H.264 encoders. */
const MAX_PIXELS_A_SIDE = 16_384;

/** Throws ClipmillError "too_large" if the picture is larger than 8K or the file lasts more than 12 hours. */
export function requireWithinLimits({ durationSeconds, video }: Limited): void {
  if (durationSeconds > MAX_HOURS * 3_600) {
    throw new ClipmillError("too_large", `The file is longer than ${MAX_HOURS} hours.`, {
      facts: { durationSeconds },
    });
  }
  if (!video) return;
  const { width, height, codedWidth, codedHeight } = video;
  const pixels = Math.max(width * height, codedWidth * codedHeight);
  if (pixels > MAX_PIXELS || Math.max(width, height, codedWidth, codedHeight) > MAX_PIXELS_A_SIDE) {
    throw new ClipmillError("too_large", "The picture is larger than 8K (8192 by 4320 pixels).", {
      facts: { width, height },
    });
  }
}

export function tooManyStreams(details: ErrorDetails): ClipmillError {
  return new ClipmillError("too_large", `The file has more than ${MAX_STREAMS} streams.`, details);
}

type Limited = {
  durationSeconds: number;
  video: Pick<VideoStream, "width" | "height" | "codedWidth" | "codedHeight"> | null;
};
