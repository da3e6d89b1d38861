import { open } from "node:fs/promises";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { SPEECH_SAMPLE_RATE } from "../find-speech.ts";
import { ENERGY_STEP_SECONDS } from "./energy.ts";

const BYTES_PER_SAMPLE = 2;
const HEADER_BYTES = 44;
const STEP_SAMPLES = Math.round(SPEECH_SAMPLE_RATE * ENERGY_STEP_SECONDS);
/** About 10 s: reading the next ones gives way to other work. */
const READ_STEPS = 2_048;

/** Returns a WAV file of a part of the samples of `writeSpeechSamples`. */
export async function readAsWav(samples: string, { startSeconds, endSeconds }: Window): Promise<Buffer> {
  const from = Math.round(startSeconds * SPEECH_SAMPLE_RATE) * BYTES_PER_SAMPLE;
  const length = Math.round(endSeconds * SPEECH_SAMPLE_RATE) * BYTES_PER_SAMPLE - from;
  const wav = Buffer.alloc(HEADER_BYTES + length);
  await using file = await open(samples);
  const { bytesRead } = await file.read(wav, HEADER_BYTES, length, from);
  wav.write("RIFF", 0, "latin1");
  wav.writeUInt32LE(HEADER_BYTES - 8 + bytesRead, 4);
  wav.write("WAVEfmt ", 8, "latin1");
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(SPEECH_SAMPLE_RATE, 24);
  wav.writeUInt32LE(SPEECH_SAMPLE_RATE * BYTES_PER_SAMPLE, 28);
  wav.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  wav.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  wav.write("data", 36, "latin1");
  wav.writeUInt32LE(bytesRead, 40);
  return wav.subarray(0, HEADER_BYTES + bytesRead);
}

/** Returns the level of each step of the samples, in dB below full scale. */
export async function measureEnergy(samples: string): Promise<Float32Array> {
  await using file = await open(samples);
  const { size } = await file.stat();
  const levels = new Float32Array(Math.floor(size / BYTES_PER_SAMPLE / STEP_SAMPLES));
  const bytes = Buffer.alloc(READ_STEPS * STEP_SAMPLES * BYTES_PER_SAMPLE);
  for (let step = 0; step < levels.length;) {
    const { bytesRead } = await file.read(bytes, 0, bytes.length, step * STEP_SAMPLES * BYTES_PER_SAMPLE);
    const read = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytesRead / BYTES_PER_SAMPLE));
    if (read.length < STEP_SAMPLES) break;
    for (let at = 0; at + STEP_SAMPLES <= read.length; at += STEP_SAMPLES) {
      let squares = 0;
      // The difference of neighbors leaves out hum and rumble.
      for (let i = at + 1; i < at + STEP_SAMPLES; i++) squares += (read[i]! - 0.9 * read[i - 1]!) ** 2;
      levels[step++] = 10 * Math.log10(squares / STEP_SAMPLES / 32_768 ** 2 + 1e-10);
    }
  }
  return levels;
}
