import { rm } from "node:fs/promises";
import path from "node:path";
import { entryBeside } from "#ground/find-program.ts";
import type { FfmpegTools } from "../ffmpeg/run-ffmpeg.ts";
import { type OwnSoundPlace, readOwnSound } from "../health/own-sound.ts";
import { runModel } from "../models/run-model.ts";
import { speechArguments } from "../plan/arguments/sound-arguments.ts";
import type { MediaFile } from "../plan/render-plan.ts";
import { type HeardSpeech, SPEECH_SAMPLE_RATE } from "./find-speech.ts";

const ENTRY = entryBeside(import.meta, "speech-process");

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
    const likelihoods = await runModel(ENTRY, [samples], {
      ...{ step: "speech", work: "Speech detection", signal },
      // It takes 1/70 of that.
      limitMs: (window.endSeconds - window.startSeconds) * 1_000,
    });
    return { fromSeconds: window.startSeconds, likelihoods };
  } finally {
    await rm(samples, { force: true });
  }
}
