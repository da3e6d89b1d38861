import { rm } from "node:fs/promises";
import path from "node:path";
import { buffer, text } from "node:stream/consumers";
import { ClipmillError } from "#contract/errors.ts";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { entryBeside } from "#ground/find-program.ts";
import { describeExternalKill, type FfmpegTools, runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { sentencesOf } from "../health/find-damage.ts";
import { decodeSteadily, isChangedSound } from "../health/steady-sound.ts";
import { launch } from "../launch/launch.ts";
import { speechArguments } from "../plan/arguments/sound-arguments.ts";
import type { MediaFile } from "../plan/render-plan.ts";
import { requireVideo } from "../render/required-streams.ts";
import { type HeardSpeech, SPEECH_SAMPLE_RATE } from "./find-speech.ts";

/**
 * Compiling for speed, V8's default, takes longer than it saves for videos of less than 3 min, and twice the memory.
 * Measured by `npm run bench speech`.
 */
const FLAGS = ["--liftoff-only"];
const ENTRY = entryBeside(import.meta, "speech-process");
/** The process takes 1/70 of the sound's length; a slower one is stuck. */
const BASE_LIMIT_MS = 60_000;

/**
 * Finds speech in a window of a video's sound. Returns null if there is no sound that can be decoded. Throws
 * ClipmillError "cancelled", "no_space" or "render_failed". Writes temporary files into `folder`.
 */
export async function detectSpeech(
  tools: FfmpegTools,
  file: MediaFile,
  { window, folder, signal }: { window: Window; folder: string; signal: AbortSignal },
): Promise<HeardSpeech | null> {
  const { audio, soundRefusal } = file.probe;
  if (!audio || soundRefusal) return null;
  const samples = path.join(folder, "speech.raw");
  try {
    await decode(tools, file, { window, folder, signal, samples });
    const mediaMs = Math.ceil((window.endSeconds - window.startSeconds) * 1_000);
    const likelihoods = await hear(samples, AbortSignal.timeout(BASE_LIMIT_MS + mediaMs), signal);
    return { fromSeconds: window.startSeconds, likelihoods };
  } catch (error) {
    if (error instanceof ClipmillError && ["damaged", "unrenderable"].includes(error.code)) return null;
    throw error;
  } finally {
    await rm(samples, { force: true });
  }
}

async function decode(
  tools: FfmpegTools,
  file: MediaFile,
  { window, folder, signal, samples }: { window: Window; folder: string; signal: AbortSignal; samples: string },
): Promise<void> {
  const fromSeconds = window.startSeconds + requireVideo(file.probe).timing.offsetSeconds;
  const part = { source: 0, fromSeconds, seconds: window.endSeconds - window.startSeconds };
  const run = (from: MediaFile) =>
    runFfmpeg(tools, {
      step: "speech",
      args: speechArguments(from, part, { rate: SPEECH_SAMPLE_RATE, file: samples }),
      signal,
      ...sentencesOf("video"),
      mediaSeconds: window.endSeconds,
    });
  try {
    await run(file);
  } catch (error) {
    if (!isChangedSound(error)) throw error;
    const steady = path.join(folder, "speech.mka");
    await run(await decodeSteadily(tools, file, { path: steady, origin: "video", signal }));
    await rm(steady, { force: true });
  }
}

async function hear(samples: string, limit: AbortSignal, signal: AbortSignal): Promise<Uint8Array> {
  const { outputs, ended } = launch(process.execPath, {
    args: [...FLAGS, ENTRY, samples],
    outputs: [1, 2],
    signal: AbortSignal.any([signal, limit]),
  });
  const [likelihoods, tail] = await Promise.all([buffer(outputs[1]!), text(outputs[2]!)]);
  const { exitCode, signal: killedBy } = await ended;
  if (signal.aborted) throw new ClipmillError("cancelled", "Rendering was canceled.");
  if (exitCode === 0) return likelihoods;
  const isKilled = killedBy === "SIGKILL" && !limit.aborted;
  const message = isKilled ? describeExternalKill("Speech detection") : "Speech detection failed.";
  const facts = { step: "speech", exitCode, signal: killedBy, stalled: limit.aborted };
  throw new ClipmillError("render_failed", message, { facts, tail });
}
