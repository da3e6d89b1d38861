import { readFile } from "node:fs/promises";
import path from "node:path";
import { type FfmpegTools, runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { openSource } from "../plan/arguments/source-arguments.ts";
import type { Probe } from "../probe/probe-report.ts";

/** Later speech adds nothing to a caption, and sending it costs. */
const MOST_SECONDS = 180;
const SAMPLE_RATE = 16_000;

/**
 * Returns an m4a of the first 180 s for transcription; null without sound or if speech is unlikely. Throws what
 * runFfmpeg throws.
 */
export async function extractSpeech(
  tools: FfmpegTools,
  { path: source, probe }: { path: string; probe: Probe },
  { folder, signal }: { folder: string; signal?: AbortSignal },
): Promise<Buffer | null> {
  if (!probe.audio || probe.soundError) return null;
  const samplesFile = path.join(folder, "speech.raw");
  const soundFile = path.join(folder, "speech.m4a");
  const sound = ["-map", `0:${probe.audio.index}`, "-ac", "1", "-ar", String(SAMPLE_RATE)];
  await runFfmpeg(tools, {
    step: "speech",
    args: [
      ...openSource(source, { seconds: MOST_SECONDS }),
      ...[...sound, "-c:a", "pcm_f32le", "-f", "f32le", `file:${samplesFile}`],
      ...[...sound, "-c:a", "aac", "-b:a", "48k", "-f", "mp4", `file:${soundFile}`],
    ],
    signal,
    mediaSeconds: Math.min(MOST_SECONDS, probe.durationSeconds),
  });
  const bytes = await readFile(samplesFile);
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4));
  return soundsLikeSpeech(samples, SAMPLE_RATE) ? readFile(soundFile) : null;
}

const FRAME_SECONDS = 0.025;
const WINDOW_FRAMES = 40;
/** 50 dB below full scale. */
const SILENT_LEVEL = 0.003;
/**
 * Speech pauses between words and syllables: many frames are far quieter than the second around them ("low short-time
 * energy ratio", Lu, Zhang and Jiang 2002). Set low: mistaking a song for speech costs one transcription, but missing
 * speech loses its words.
 */
const PAUSING_SHARE = 0.15;
const MIN_PAUSING_WINDOWS = 0.2;

/** Judges by rhythm. Takes mono samples from -1 to 1. */
function soundsLikeSpeech(samples: Float32Array, sampleRate: number): boolean {
  const levels = levelsOf(samples, Math.round(sampleRate * FRAME_SECONDS));
  let audible = 0;
  let pausing = 0;
  for (let start = 0; start + WINDOW_FRAMES <= levels.length; start += WINDOW_FRAMES) {
    const window = levels.slice(start, start + WINDOW_FRAMES);
    const mean = window.reduce((sum, level) => sum + level, 0) / WINDOW_FRAMES;
    if (mean < SILENT_LEVEL) continue;
    audible += 1;
    if (window.filter((level) => level < mean / 2).length / WINDOW_FRAMES >= PAUSING_SHARE) pausing += 1;
  }
  return audible > 0 && pausing / audible >= MIN_PAUSING_WINDOWS;
}

function levelsOf(samples: Float32Array, frameLength: number): number[] {
  return Array.from({ length: Math.floor(samples.length / frameLength) }, (_, i) => {
    let squares = 0;
    for (let at = i * frameLength; at < (i + 1) * frameLength; at += 1) squares += samples[at]! ** 2;
    return Math.sqrt(squares / frameLength);
  });
}
