import type { Readable } from "node:stream";
import { openSource, WITHOUT_TAGS } from "./plan/arguments/source-arguments.ts";
import { readOutputs } from "./probe/read-lines.ts";
import { findBox } from "./probe/read-mp4.ts";
import type { FfmpegTools } from "./ffmpeg/run-ffmpeg.ts";

/** The matrix in a track header of version 0 (ISO/IEC 14496-12, 8.3.2). */
const MATRIX_AT_BYTE = 40;
/** One stream's header takes less than a kilobyte. */
const MAX_BYTES = 65_536;

/**
 * Returns the filters that make a picture upright; null for angles between quarter turns. ffmpeg reports only the
 * angle, but copies any container's matrix to an MP4 header. Throws what `readOutputs` throws.
 */
export async function readTurn(
  tools: FfmpegTools,
  path: string,
  { index }: { index: number },
  signal?: AbortSignal,
): Promise<string[] | null> {
  const args = [
    ...["-loglevel", "quiet", "-noautorotate", ...openSource(path), "-map", `0:${index}`, "-frames:v", "1"],
    ...["-vf", "scale=16:16", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p"],
    // Drops tags, which may be of any length.
    ...[...WITHOUT_TAGS, "-f", "mov", "-movflags", "empty_moov", "pipe:1"],
  ];
  const chunks: Buffer[] = [];
  let bytes = 0;
  const keepStart = async (output: Readable): Promise<void> => {
    for await (const chunk of output as AsyncIterable<Buffer>) {
      if (bytes < MAX_BYTES) chunks.push(chunk);
      bytes += chunk.length;
    }
  };
  await readOutputs(tools, path, args, { 1: keepStart }, signal);
  const header = findBox(Buffer.concat(chunks), ["moov", "trak", "tkhd"]);
  if (!header || header[0] !== 0) return null;
  const [a, b, , c, d] = [0, 1, 2, 3, 4].map((place) => header.readInt32BE(MATRIX_AT_BYTE + 4 * place));
  return filtersOf(a!, b!, c!, d!);
}

/** `a` and `d` mirror, `b` and `c` swap the axes. */
function filtersOf(a: number, b: number, c: number, d: number): string[] | null {
  if (b === 0 && c === 0) return [...(a < 0 ? ["hflip"] : []), ...(d < 0 ? ["vflip"] : [])];
  if (a !== 0 || d !== 0) return null;
  if (b > 0) return [`transpose=${c > 0 ? "cclock_flip" : "clock"}`];
  return [`transpose=${c < 0 ? "clock_flip" : "cclock"}`];
}
