import { ClipmillError } from "#contract/errors.ts";
import { framesIn, secondsOf } from "./plan/fit-size.ts";
import { THUMBNAIL_AT_SECONDS } from "./plan/arguments/output-arguments.ts";
import { stillArguments } from "./plan/arguments/picture-arguments.ts";
import { planFrames } from "./plan/plan-frames.ts";
import type { MediaFile } from "./plan/render-plan.ts";
import { runFfmpeg } from "./ffmpeg/run-ffmpeg.ts";
import type { RunReport } from "./ffmpeg/run-report.ts";
import type { MediaTools } from "./ffmpeg/tools.ts";

type Taking = {
  step: string;
  finish: string;
  encode: readonly string[];
  file: string;
  signal: AbortSignal;
  /** Default: the thumbnail's time. After the video's end, its last frame. */
  atSeconds?: number | null;
};

/**
 * The default time is one second, or halfway through a shorter video. Throws what `runFfmpeg` throws, "not_a_video",
 * and "damaged" if no frame could be decoded.
 */
export async function extractFrame(
  tools: MediaTools,
  source: Pick<MediaFile, "path" | "probe">,
  { step, finish, encode, file, signal, atSeconds = null }: Taking,
): Promise<void> {
  const plan = planFrames(source.probe);
  const { durationSeconds } = source.probe;
  const last = Math.max(0, durationSeconds - secondsOf(2, plan.frameRate));
  const wanted = atSeconds === null ? Math.min(THUMBNAIL_AT_SECONDS, durationSeconds / 2) : Math.min(atSeconds, last);
  for (const at of [wanted, 0]) {
    const args = stillArguments(plan, {
      source,
      drawings: new Map(),
      hasZscale: tools.hasZscale ?? false,
      startSeconds: secondsOf(framesIn(at, plan.frameRate), plan.frameRate),
      finish,
      output: [...encode, `file:${file}`],
    });
    let written = 0;
    const onReport = (report: RunReport) => void (written = report.written.get("0:0") ?? 0);
    await runFfmpeg(tools, { step, args, signal, isInBackground: true, onReport });
    // A video may end long before the length in its header. By version, ffmpeg then writes no file, or an empty one.
    if (written > 0) return;
  }
  throw new ClipmillError("damaged", "The video file is damaged or incomplete.", { facts: { step } });
}
