import { readFile } from "node:fs/promises";
import path from "node:path";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";
import { openSource } from "../plan/arguments/source-arguments.ts";
import { jpegFilters } from "../plan/arguments/output-arguments.ts";
import type { DescribedVideo } from "../probe/probe-report.ts";

const LONG_EDGE_PIXELS = 256;
/** Later frames may be missing from an excerpt: a decoder would wait for them. */
const READ_SECONDS = 0.1;

/**
 * Returns a JPEG of a few kB, or null if the frame cannot be decoded. Writes to `folder`. Throws ClipmillError
 * "cancelled".
 */
export async function drawFirstFrame(
  tools: MediaTools,
  { path: file, video }: { path: string; video: Pick<DescribedVideo, "index" | "width" | "height"> },
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<Buffer | null> {
  const picture = path.join(folder, "first-frame.jpg");
  const scale = Math.min(1, LONG_EDGE_PIXELS / Math.max(video.width, video.height));
  const [width, height] = [video.width, video.height].map((side) => Math.max(2, Math.round((side * scale) / 2) * 2));
  const args = [
    ...openSource(file, { seconds: READ_SECONDS }),
    ...["-map", `0:${video.index}`, "-frames:v", "1"],
    // Square pixels first.
    ...["-vf", `scale=${width}:${height},setsar=1,${jpegFilters(LONG_EDGE_PIXELS, "auto")}`],
    ...["-c:v", "mjpeg", "-q:v", "6", "-update", "1", "-f", "image2", `file:${picture}`],
  ];
  try {
    await runFfmpeg(tools, { step: "first frame", args, signal, isInBackground: true });
    return await readFile(picture);
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
