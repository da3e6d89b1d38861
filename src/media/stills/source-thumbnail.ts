import { readFile } from "node:fs/promises";
import path from "node:path";
import { jpegFilters } from "../plan/arguments/output-arguments.ts";
import { planFrames } from "../plan/plan-frames.ts";
import type { MediaFile } from "../plan/render-plan.ts";
import { extractFrame } from "../extract-frame.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";

/** Twice the size shown in lists. */
const LONG_EDGE_PIXELS = 256;

/**
 * Returns a JPEG from one second in, or halfway through a shorter video; longer edge at most 256 pixels. Writes to
 * `folder`. Throws what `extractFrame` throws.
 */
export async function drawSourceThumbnail(
  tools: MediaTools,
  source: Pick<MediaFile, "path" | "probe">,
  run: { folder: string; signal: AbortSignal },
): Promise<Buffer> {
  const file = path.join(run.folder, "thumbnail.jpg");
  const { width, height } = planFrames(source.probe);
  const maxWide = Math.round(LONG_EDGE_PIXELS * Math.min(1, width / height));
  await extractFrame(tools, source, {
    ...{ step: "source thumbnail", file, signal: run.signal },
    finish: jpegFilters(Math.max(maxWide, 2), "bt709"),
    encode: ["-c:v", "mjpeg", "-q:v", "5", "-update", "1", "-f", "image2"],
  });
  return await readFile(file);
}
