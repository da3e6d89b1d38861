import { rm } from "node:fs/promises";
import path from "node:path";
import { buffer, text } from "node:stream/consumers";
import { ClipmillError } from "#contract/errors.ts";
import { entryBeside } from "#ground/find-program.ts";
import { describeExternalKill, type FfmpegTools } from "../ffmpeg/run-ffmpeg.ts";
import { type OwnSoundPlace, readOwnSound } from "../health/own-sound.ts";
import { launch } from "../launch/launch.ts";
import { speechArguments } from "../plan/arguments/sound-arguments.ts";
import type { MediaFile } from "../plan/render-plan.ts";
import { type HeardSpeech, SPEECH_SAMPLE_RATE } from "./find-speech.ts";

/**
 * Compiling for speed, V8's default, takes longer than it saves for videos of less than 3 min, and twice the memory.
 * Measured by `npm run bench speech`.
 */
const FLAGS = ["--liftoff-only"];
const ENTRY = entryBeside(import.meta, "speech-process");
/** The process takes 1/70 of the sound's length; a slower one is stuck. */
const BASE_LIMIT_MS = 60_000;

/** Finds speech in a window of a video's sound. Returns null, and throws, like `readOwnSound`. */
export async function detectSpeech(
  tools: FfmpegTools,
  file: MediaFile,
  place: OwnSoundPlace,
): Promise<HeardSpeech | null> {
  const { window, folder, signal } = place;
  const samples = path.join(folder, "speech.raw");
  try {
    const read = await readOwnSound(tools, file, place, {
      step: "speech",
      argumentsOf: (from, part) => speechArguments(from, part, { rate: SPEECH_SAMPLE_RATE, file: samples }),
    });
    if (!read) return null;
    const mediaMs = Math.ceil((window.endSeconds - window.startSeconds) * 1_000);
    const likelihoods = await hear(samples, AbortSignal.timeout(BASE_LIMIT_MS + mediaMs), signal);
    return { fromSeconds: window.startSeconds, likelihoods };
  } finally {
    await rm(samples, { force: true });
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
