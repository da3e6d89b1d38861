/** Draws thumbnails of sources. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { framesIn, secondsOf } from "./plan/frame-rate.ts";
import { jpegFilters, THUMBNAIL_AT_SECONDS } from "./plan/output-arguments.ts";
import { stillArguments } from "./plan/picture-arguments.ts";
import { planFrames } from "./plan/plan-render.ts";
import type { MediaFile } from "./plan/render-plan.ts";
import { runFfmpeg } from "./run-ffmpeg.ts";
import type { MediaTools } from "./tools.ts";

/** Length of the longer edge: twice the size shown in lists. */
const LONG_EDGE_PIXELS = 256;

/**
 * Draws a JPEG of a video frame one second in or halfway, with a longer edge of at most 256 pixels. Uses `folder` for a
 * temporary file. Throws what `runFfmpeg` throws, "not_a_video" and "damaged".
 */
export async function drawSourceThumbnail(
  tools: MediaTools,
  source: Pick<MediaFile, "path" | "probe">,
  run: { folder: string; signal: AbortSignal },
): Promise<Buffer> {
  const file = path.join(run.folder, "thumbnail.jpg");
  const plan = planFrames(source.probe);
  const mostWide = Math.round(LONG_EDGE_PIXELS * Math.min(1, plan.width / plan.height));
  const atSeconds = Math.min(THUMBNAIL_AT_SECONDS, source.probe.durationSeconds / 2);
  for (const at of [atSeconds, 0]) {
    const args = stillArguments(null, plan, {
      source,
      drawings: new Map(),
      watermark: null,
      hasZscale: tools.hasZscale ?? false,
      startSeconds: secondsOf(Math.floor(framesIn(at, plan.frameRate)), plan.frameRate),
      finish: jpegFilters(Math.max(mostWide, 2), "bt709"),
      output: ["-c:v", "mjpeg", "-q:v", "5", "-update", "1", "-f", "image2", `file:${file}`],
    });
    await runFfmpeg(tools, { ...run, step: "source thumbnail", args, isInBackground: true });
    // a video may end long before its header states
    if (existsSync(file)) return await readFile(file);
  }
  throw new ClipmillError("damaged", "The video file is damaged or incomplete.", { facts: { step: "thumbnail" } });
}
