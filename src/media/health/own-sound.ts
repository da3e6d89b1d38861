import { rm } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { type FfmpegTools, runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { EMPTY_REPORT, type RunReport } from "../ffmpeg/run-report.ts";
import { partLoudnessArguments } from "../plan/arguments/sound-arguments.ts";
import { type Loudness, SILENCE } from "../plan/loudness.ts";
import type { MediaFile, SoundPart } from "../plan/render-plan.ts";
import { requireVideo } from "../render/required-streams.ts";
import { sentencesOf } from "./find-damage.ts";
import { decodeSteadily, isChangedSound } from "./steady-sound.ts";

/** `folder` is for temporary files. */
export type OwnSoundPlace = { window: Window; folder: string; signal: AbortSignal };

type ArgumentsOf = (from: MediaFile, part: Pick<SoundPart, "fromSeconds" | "seconds">) => string[];

/**
 * Runs ffmpeg on a window of a video's own sound. Returns null if there is no sound that can be decoded. Throws
 * ClipmillError "cancelled", "no_space" or "render_failed".
 */
export async function readOwnSound(
  tools: FfmpegTools,
  file: MediaFile,
  { window, folder, signal }: OwnSoundPlace,
  { step, argumentsOf }: { step: string; argumentsOf: ArgumentsOf },
): Promise<RunReport | null> {
  const { audio, soundError } = file.probe;
  if (!audio || soundError) return null;
  const fromSeconds = window.startSeconds + requireVideo(file.probe).timing.offsetSeconds;
  const part = { fromSeconds, seconds: window.endSeconds - window.startSeconds };
  const run = async (from: MediaFile): Promise<RunReport> => {
    let report = EMPTY_REPORT;
    await runFfmpeg(tools, {
      step,
      args: argumentsOf(from, part),
      signal,
      ...sentencesOf("video"),
      mediaSeconds: window.endSeconds,
      onReport: (found) => (report = found),
    });
    return report;
  };
  try {
    return await run(file).catch(async (error: unknown) => {
      if (!isChangedSound(error)) throw error;
      const steady = path.join(folder, `${step.replaceAll(" ", "-")}.mka`);
      const report = await run(await decodeSteadily(tools, file, { path: steady, origin: "video", signal }));
      await rm(steady, { force: true });
      return report;
    });
  } catch (error) {
    if (error instanceof ClipmillError && ["damaged", "unrenderable"].includes(error.code)) return null;
    throw error;
  }
}

/** Measures the sound as outputs have it. Returns null, and throws, like `readOwnSound`. */
export async function measureOwnLoudness(
  tools: FfmpegTools,
  file: MediaFile,
  place: OwnSoundPlace,
): Promise<Loudness | null> {
  const report = await readOwnSound(tools, file, place, {
    step: "part loudness",
    argumentsOf: partLoudnessArguments,
  });
  return report && (report.loudness ?? SILENCE);
}
