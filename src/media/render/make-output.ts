import { existsSync } from "node:fs";
import { copyFile, rm } from "node:fs/promises";
import { ClipmillError, detailsOf } from "#contract/errors.ts";
import type { ConformanceReport } from "#contract/jobs/conformance.ts";
import type { Platform } from "#contract/jobs/platforms.ts";
import type { Warning } from "#contract/jobs/warnings.ts";
import { checkConformance } from "../conformance/check-conformance.ts";
import { readMp4Summary } from "../conformance/mp4-summary.ts";
import { findCopyDamage } from "../health/find-damage.ts";
import { findEndMissing, measureRendered } from "./measure-rendered.ts";
import {
  outputArguments,
  type SourcePicture,
  THUMBNAIL_AT_SECONDS,
  thumbnailArguments,
} from "../plan/arguments/output-arguments.ts";
import { filesOf, type PlannedOutput } from "../plan/render-plan.ts";
import { takePicture } from "./join-picture.ts";
import type { Probe } from "../probe/probe-report.ts";
import type { RenderedOutput, RenderRun } from "./render-run.ts";
import { requireAudio, requireVideo } from "./required-streams.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import type { RunReport } from "../ffmpeg/run-report.ts";

/** Identical outputs; the first represents all. */
export type IdenticalOutputs = { contentKey: string; outputs: [PlannedOutput, ...PlannedOutput[]] };

/** Muxes the streams of identical outputs and creates the thumbnail. */
export async function joinOutput(run: RenderRun, { contentKey, outputs }: IdenticalOutputs): Promise<RenderedOutput> {
  const [output] = outputs;
  const { options, request, plan } = run;
  const { source } = request;
  const picture = output.picture.from === "encoded" ? await takePicture(run, output, output.picture) : null;
  const sound = output.sound.from === "encoded" ? await run.streams.get(output.sound.id) : null;
  const file = run.fileOf(`output-${plan.outputs.indexOf(output)}.mp4`);
  const sourceSound = output.sound.from === "source" ? requireAudio(source.probe).index : null;
  let copyWarnings: Warning[] = [];
  await runFfmpeg(options.tools, {
    step: "output",
    args: outputArguments(
      picture ? { path: picture.path, index: 0 } : { path: source.path, index: requireVideo(source.probe).index },
      sound ? { path: sound.path, index: 0 } : sourceSound === null ? null : { path: source.path, index: sourceSound },
      // the picture may end a frame or two early; the sound then ends with it
      {
        seconds: picture && picture.seconds < output.seconds ? picture.seconds : null,
        avoidsEditLists: output.avoidsEditLists,
        sourcePicture: picture === null ? describeSourcePicture(output, source.probe) : null,
        file,
      },
    ),
    signal: run.signal,
    ...(picture === null
      ? {
          onReport: (report: RunReport) =>
            (copyWarnings = findCopyDamage(report, source.probe, { isSoundCopied: sourceSound !== null })),
        }
      : {}),
  });
  const durationSeconds = picture ? picture.seconds : await measureCopy(file, output.seconds, copyWarnings.length > 0);
  if (!picture) copyWarnings.push(...findEndMissing(output.seconds, durationSeconds));
  for (const warning of copyWarnings) run.warnings.add(warning);
  const thumbnailPath = run.fileOf(`output-${plan.outputs.indexOf(output)}.jpg`);
  const drawn = picture?.thumbnailPath ?? (await takeThumbnail(run, output, { video: file, durationSeconds }));
  await copyFile(drawn, thumbnailPath);
  const { width, height } = plan;
  const keys = outputs.map(({ key }) => key);
  const warnings = new Map(outputs.map((same) => [same.key, run.warnings.of(same)]));
  const conformance = await reportOn(file, request.settings.platform);
  return { keys, contentKey, path: file, thumbnailPath, durationSeconds, width, height, conformance, warnings };
}

/** Returns the report of a finished file; null without a platform. */
async function reportOn(file: string, platform: Platform | null): Promise<ConformanceReport | null> {
  if (platform === null) return null;
  const summary = await readMp4Summary(file);
  return summary && checkConformance(platform, summary);
}

/** A copied picture that ends early because too many broken packets were left out. */
export class TruncatedCopy extends ClipmillError {}

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

/** Delivers a file, then removes it and any streams that are no longer needed. */
export async function deliverOutput(
  run: RenderRun,
  { outputs }: IdenticalOutputs,
  made: RenderedOutput,
): Promise<void> {
  for (const { key } of outputs) run.note(key, 1);
  await run.options.onOutput(made);
  const unneeded = [];
  for (const output of outputs) unneeded.push(...(await dropUnneeded(run, output)));
  const paths = [made.path, made.thumbnailPath, ...unneeded];
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}

/** Returns the files whose last user was this output. */
async function dropUnneeded(run: RenderRun, output: PlannedOutput): Promise<string[]> {
  const paths: string[] = [];
  for (const id of filesOf(output)) {
    // of identical outputs, only the first one's picture was joined
    if (!run.streams.has(id)) continue;
    const left = run.usersLeft.get(id)! - 1;
    run.usersLeft.set(id, left);
    const { path, thumbnailPath } = await run.streams.get(id);
    if (left === 0) paths.push(path, ...(thumbnailPath ? [thumbnailPath] : []));
  }
  return paths;
}

/** Takes the thumbnail of an output whose picture has none; once for all outputs that copy the source. */
async function takeThumbnail(
  run: RenderRun,
  output: PlannedOutput,
  made: { video: string; durationSeconds: number },
): Promise<string> {
  const file = run.fileOf(`${output.picture.from === "encoded" ? output.picture.thumbnailOf : "source"}-thumbnail.jpg`);
  if (existsSync(file)) return file;
  const atSeconds = Math.min(THUMBNAIL_AT_SECONDS, made.durationSeconds / 2);
  for (const at of [atSeconds, 0]) {
    const args = thumbnailArguments(made.video, { atSeconds: at, file });
    await runFfmpeg(run.options.tools, { step: "thumbnail", args, signal: run.signal });
    // a video of one frame has none at that time
    if (existsSync(file)) break;
  }
  return file;
}
