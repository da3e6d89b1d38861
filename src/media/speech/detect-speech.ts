import { rm } from "node:fs/promises";
import path from "node:path";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { entryBeside } from "#ground/find-program.ts";
import type { FfmpegTools } from "../ffmpeg/run-ffmpeg.ts";
import { type OwnSoundPlace, readOwnSound } from "../health/own-sound.ts";
import { runModel } from "../models/run-model.ts";
import { speechArguments } from "../plan/arguments/sound-arguments.ts";
import type { MediaFile } from "../plan/render-plan.ts";
import { type DetectedSpeech, SPEECH_SAMPLE_RATE } from "./find-speech.ts";

const ENTRY = entryBeside(import.meta, "speech-process");

/** Finds speech in a window of a video's sound. Returns null, and throws, like `readOwnSound`. */
export async function detectSpeech(
  tools: FfmpegTools,
  file: MediaFile,
  place: OwnSoundPlace,
): Promise<DetectedSpeech | null> {
  const samples = path.join(place.folder, "speech.raw");
  try {
    if (!(await writeSpeechSamples(tools, file, place, samples))) return null;
    return await detectInSamples(samples, place);
  } finally {
    await rm(samples, { force: true });
  }
}

/** Writes 16-bit samples, mono, 16 kHz. Returns false without usable sound, and throws like `readOwnSound`. */
export async function writeSpeechSamples(
  tools: FfmpegTools,
  file: MediaFile,
  place: OwnSoundPlace,
  samples: string,
): Promise<boolean> {
  const read = await readOwnSound(tools, file, place, {
    step: "speech",
    argumentsOf: (from, part) => speechArguments(from, part, { rate: SPEECH_SAMPLE_RATE, file: samples }),
  });
  return read !== null;
}

/** `samples` are those of the window. Throws like `runModel`. */
export async function detectInSamples(
  samples: string,
  { window, signal }: { window: Window; signal: AbortSignal },
): Promise<DetectedSpeech> {
  const likelihoods = await runModel(ENTRY, [samples], {
    ...{ step: "speech", work: "Speech detection", signal },
    // It takes 1/70 of that.
    limitMs: (window.endSeconds - window.startSeconds) * 1_000,
  });
  return { fromSeconds: window.startSeconds, likelihoods };
}
