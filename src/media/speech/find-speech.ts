import type { Window } from "#contract/jobs/outputs/assignment.ts";

/** A file of a package. */
export const SPEECH_MODEL = "@ricky0123/vad-web/dist/silero_vad_v6.onnx";
export const SPEECH_SAMPLE_RATE = 16_000;
/** The model judges 32 ms at a time. */
export const STEP_SAMPLES = 512;
const STEP_SECONDS = STEP_SAMPLES / SPEECH_SAMPLE_RATE;

/** The likelihood of speech in each step of a part of a source, from 0 to 255. */
export type DetectedSpeech = { fromSeconds: number; likelihoods: Uint8Array };

/** Speech starts at the first threshold and continues above the second: words have quiet sounds. */
const STARTS_AT = 0.5 * 255;
const CONTINUES_AT = 0.35 * 255;
/** Shorter speech is a click, a breath or a beat. */
const MIN_SPEECH_STEPS = 3;
/** The model notices a word a little late. */
const LEAD_STEPS = 2;
const TAIL_STEPS = 1;

/** Returns ranges in order, with a step or more between them. */
export function findSpeech(detected: DetectedSpeech): Window[] {
  const { likelihoods } = detected;
  const speech: { first: number; end: number }[] = [];
  let first: number | null = null;
  for (let step = 0; step <= likelihoods.length; step++) {
    const likelihood = likelihoods[step] ?? 0;
    if (first === null && likelihood >= STARTS_AT) first = step;
    if (first === null || likelihood >= CONTINUES_AT) continue;
    const found = { first: Math.max(0, first - LEAD_STEPS), end: Math.min(likelihoods.length, step + TAIL_STEPS) };
    const before = speech.at(-1);
    if (step - first >= MIN_SPEECH_STEPS) {
      if (before && before.end >= found.first) before.end = found.end;
      else speech.push(found);
    }
    first = null;
  }
  const timeOf = (step: number) => detected.fromSeconds + step * STEP_SECONDS;
  return speech.map(({ first, end }) => ({ startSeconds: timeOf(first), endSeconds: timeOf(end) }));
}

export function analyzedUntil({ fromSeconds, likelihoods }: DetectedSpeech): number {
  return fromSeconds + likelihoods.length * STEP_SECONDS;
}
