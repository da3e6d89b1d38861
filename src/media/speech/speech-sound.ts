import { readFile } from "node:fs/promises";
import path from "node:path";
import { openSource } from "../plan/arguments/source-arguments.ts";
import type { Probe } from "../probe/probe-report.ts";
import { type FfmpegTools, runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { soundsLikeSpeech } from "./sounds-like-speech.ts";

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
  if (!probe.audio || probe.soundRefusal) return null;
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
