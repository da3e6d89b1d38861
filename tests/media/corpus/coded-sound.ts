/** One pitch each for the start, middle and end of a clip. */
import { SAMPLE_RATE } from "#tests/support/media/measure-timing.ts";

/** Low enough for telephone codecs. */
const PITCHES = [700, 1_150, 1_900];
const BEEP_SECONDS = 0.06;
const LEVEL = 0.4;
/** Louder than the pre-echo of lossy codecs. */
const ONSET_SHARE = 0.35;
/** After downmixing and without music. */
const QUIETEST = 0.02;

/** None is near two fifths, where segments are cut. */
export function beepTimes(seconds: number): number[] {
  return [Math.min(0.12, seconds * 0.1), seconds * 0.55, seconds - Math.min(0.25, seconds * 0.2)];
}

/** For aevalsrc; null omits a beep. */
export function beepExpression(times: readonly (number | null)[]): string {
  const beeps = times.flatMap((time, i) => {
    if (time === null) return [];
    const [from, to] = [time.toFixed(6), (time + BEEP_SECONDS).toFixed(6)];
    return [`between(t,${from},${to})*sin(2*PI*${PITCHES[i]}*(t-${from}))`];
  });
  return `${LEVEL}*(${beeps.join("+") || "0"})`;
}

/** In seconds; null for a missing beep. */
export function readBeeps(samples: Float32Array): (number | null)[] {
  const found: (number | null)[] = PITCHES.map(() => null);
  for (const onset of findOnsets(samples)) {
    const levels = PITCHES.map((hz) => levelOf(samples, onset, hz));
    const pitch = levels.indexOf(Math.max(...levels));
    found[pitch] ??= onset / SAMPLE_RATE;
  }
  return found;
}

/** In samples. */
function findOnsets(samples: Float32Array): number[] {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  if (peak < QUIETEST) return [];
  const onsets: number[] = [];
  let quietFrom = 0;
  samples.forEach((sample, i) => {
    if (Math.abs(sample) < peak * ONSET_SHARE) return;
    // longer than any pitch's period, shorter than the silence between beeps
    if (onsets.length === 0 || i - quietFrom > 0.02 * SAMPLE_RATE) onsets.push(i);
    quietFrom = i;
  });
  return onsets;
}

function levelOf(samples: Float32Array, onset: number, hz: number): number {
  let [cosine, sine] = [0, 0];
  const end = Math.min(samples.length, onset + Math.round((BEEP_SECONDS * SAMPLE_RATE * 2) / 3));
  for (let i = onset; i < end; i++) {
    cosine += samples[i]! * Math.cos((2 * Math.PI * hz * i) / SAMPLE_RATE);
    sine += samples[i]! * Math.sin((2 * Math.PI * hz * i) / SAMPLE_RATE);
  }
  return Math.hypot(cosine, sine);
}
