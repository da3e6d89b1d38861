import { ClipmillError, detailsOf } from "#contract/errors.ts";
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { findCopyDamage } from "../health/find-damage.ts";
import { copyArguments, type SourcePicture } from "../plan/arguments/output-arguments.ts";
import type { PlannedOutput } from "../plan/render-plan.ts";
import type { Probe } from "../probe/probe-report.ts";
import { findEndMissing, measureRendered } from "./measure-rendered.ts";
import type { RenderRun, TakenPicture } from "./render-run.ts";
import { requireAudio, requireVideo } from "./required-streams.ts";
import { takeTrack } from "./take-picture.ts";

/** Too many broken packets were left out. */
export class TruncatedCopy extends ClipmillError {}

/** One copy for all outputs of that length. Throws what `copySource` throws. */
export function copyPicture(run: RenderRun, output: PlannedOutput): Promise<TakenPicture> {
  const copy = run.copies.get(output.seconds) ?? makeCopy(run, output);
  run.copies.set(output.seconds, copy);
  return copy;
}

async function makeCopy(run: RenderRun, output: PlannedOutput): Promise<TakenPicture> {
  const file = run.fileOf(`source-${run.copies.size}.mp4`);
  const { seconds } = await copy(run, output, { file, sound: null, isOutput: false });
  return { track: await takeTrack(file), seconds };
}

/**
 * Copies the picture, and the sound if the output has it, and adds the damage to the warnings. Returns the picture's
 * length. Throws TruncatedCopy, and what `runFfmpeg` and `measureRendered` throw.
 */
export async function copySource(run: RenderRun, output: PlannedOutput, file: string): Promise<{ seconds: number }> {
  const sound = output.sound.from === "source" ? requireAudio(run.request.sources[0].probe).index : null;
  return await copy(run, output, { file, sound, isOutput: true });
}

async function copy(
  run: RenderRun,
  output: PlannedOutput,
  { file, sound, isOutput }: { file: string; sound: number | null; isOutput: boolean },
): Promise<{ seconds: number }> {
  const { path, probe } = run.request.sources[0];
  let warnings: Warning[] = [];
  await runFfmpeg(run.options.tools, {
    step: "output",
    args: copyArguments(
      path,
      { picture: requireVideo(probe).index, sound },
      { shown: describeSourcePicture(output, probe), isOutput, file },
    ),
    signal: run.signal,
    onReport: (report) => (warnings = findCopyDamage(report, probe, { isSoundCopied: sound !== null })),
  });
  const seconds = await measureCopy(file, output.seconds, warnings.length > 0);
  for (const warning of [...warnings, ...findEndMissing(output.seconds, seconds)]) run.warnings.add(warning);
  return { seconds };
}

async function measureCopy(file: string, plannedSeconds: number, isDamaged: boolean): Promise<number> {
  try {
    return (await measureRendered(file, plannedSeconds)).seconds;
  } catch (error) {
    if (!isDamaged || !(error instanceof ClipmillError)) throw error;
    throw new TruncatedCopy(error.code, error.message, detailsOf(error));
  }
}

function describeSourcePicture({ seconds }: PlannedOutput, source: Probe): SourcePicture {
  const { framesPerSecond, timing } = requireVideo(source);
  const lastFrameLasts = timing.lastFrameLasts - (source.durationSeconds - seconds);
  const isHeld = lastFrameLasts > 1.5 / framesPerSecond;
  return { firstFrameSeconds: timing.firstFrameSeconds, endSeconds: seconds, isHeld };
}
