/**
 * Started by `detect-speech.ts` with a file of sound: 16-bit samples, mono, 16 kHz. Writes a byte per step to stdout, the
 * likelihood of speech.
 */
import { open } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { env, InferenceSession, Tensor } from "onnxruntime-web";
import { SPEECH_MODEL, SPEECH_SAMPLE_RATE, STEP_SAMPLES } from "./find-speech.ts";

/** The model takes the end of the previous step, too. */
const CONTEXT_SAMPLES = 64;
const STATE_SIZE = 2 * 128;
const READ_STEPS = 1_024;
const BYTES_PER_SAMPLE = 2;

env.wasm.numThreads = 1;
const session = await InferenceSession.create(fileURLToPath(import.meta.resolve(SPEECH_MODEL)), {
  executionProviders: ["wasm"],
});
const rate = new Tensor("int64", BigInt64Array.of(BigInt(SPEECH_SAMPLE_RATE)), []);
const inputSamples = new Float32Array(CONTEXT_SAMPLES + STEP_SAMPLES);
let state = new Tensor("float32", new Float32Array(STATE_SIZE), [2, 1, 128]);

await using file = await open(process.argv[2]!);
const bytes = Buffer.alloc(READ_STEPS * STEP_SAMPLES * BYTES_PER_SAMPLE);
for (;;) {
  const { bytesRead } = await file.read(bytes, 0, bytes.length);
  if (bytesRead === 0) break;
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytesRead / BYTES_PER_SAMPLE));
  const likelihoods = new Uint8Array(Math.ceil(samples.length / STEP_SAMPLES));
  for (let step = 0; step < likelihoods.length; step++) {
    likelihoods[step] = Math.round(
      255 * (await likelihoodOf(samples.subarray(step * STEP_SAMPLES, (step + 1) * STEP_SAMPLES))),
    );
  }
  await new Promise((resolve) => process.stdout.write(likelihoods, resolve));
}

/** Fewer samples than a step are the end of the sound. */
async function likelihoodOf(samples: Int16Array): Promise<number> {
  inputSamples.copyWithin(0, STEP_SAMPLES);
  inputSamples.fill(0, CONTEXT_SAMPLES);
  for (const [i, sample] of samples.entries()) inputSamples[CONTEXT_SAMPLES + i] = sample / 32_768;
  const input = new Tensor("float32", inputSamples, [1, inputSamples.length]);
  const { output, stateN } = await session.run({ input, state, sr: rate });
  state = stateN as typeof state;
  return (output!.data as Float32Array)[0]!;
}
