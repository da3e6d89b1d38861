import { ClipmillError } from "#contract/errors.ts";
import { openSource } from "./plan/source-arguments.ts";
import { type FfmpegTools, runFfmpeg } from "./run-ffmpeg.ts";

/** By how much lengths differ if a clock was reset; the first and last packets of streams differ by less. */
const MOST_DIFFERENCE_SECONDS = 1;

/**
 * Returns the length of a transport stream whose clock was reset, and null for any other: it was joined from recordings without
 * adjusting their timestamps. Its stated length comes from the first and last timestamps; reading it through, ffmpeg continues
 * the time at each reset. What cannot be read at all is left to the render.
 */
export async function lengthOfSeveralClocks(
  tools: FfmpegTools,
  path: string,
  stated: { formatName: string; durationSeconds: number | null },
  { streams, signal }: { streams: readonly number[]; signal: AbortSignal | undefined },
): Promise<number | null> {
  if (stated.formatName !== "mpegts") return null;
  const maps = streams.flatMap((stream) => ["-map", `0:${stream}`]);
  const args = [...openSource(path), ...maps, "-c", "copy", "-f", "null", "-"];
  const seconds = await runFfmpeg(tools, { step: "read through", args, signal }).catch(passOverDamage);
  const isReset = seconds !== null && Math.abs(seconds - (stated.durationSeconds ?? 0)) > MOST_DIFFERENCE_SECONDS;
  return isReset ? seconds : null;
}

function passOverDamage(error: unknown): null {
  if (error instanceof ClipmillError && !error.mayPass && error.code !== "cancelled") return null;
  throw error;
}
