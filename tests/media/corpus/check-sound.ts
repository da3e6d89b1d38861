import { SAMPLE_RATE } from "#tests/support/media/measure-timing.ts";
import { readBeeps } from "./coded-sound.ts";
import type { Expected } from "./clips/corpus-clip.ts";
import { type Check, problemIf, milliseconds } from "./findings.ts";
import type { Measured, MeasuredFrame } from "./measure-output.ts";

const MAX_OFFSET_SECONDS = 0.02;
/** Quieter than the music, louder than an encoder's noise in silence. */
const QUIETEST_MUSIC = 0.05;
const MAX_GAP_SECONDS = 0.1;

/** Requires each beep with its frame; replacing music must play throughout. */
export const checkSound: Check = (expected, measured, mode) => {
  if (mode === "replaced") return checkMusic(measured);
  if (expected.beeps === null)
    return {
      figures: {},
      problems: problemIf(measured.soundExcessSeconds !== null, "there is sound, the clip has none"),
    };
  const found = readBeeps(measured.samples);
  const problems: string[] = [];
  const offsets = expected.beeps.map((beep, i) => {
    if (beep === null) return "";
    const at = found[i] ?? null;
    const offset = at === null ? Number.NaN : at - playedAt(beep, expected, measured.frames);
    problems.push(
      ...problemIf(at === null, `beep ${i + 1} at ${beep.toFixed(2)} s is missing`),
      ...problemIf(
        Math.abs(offset) >= MAX_OFFSET_SECONDS,
        `beep ${i + 1} is ${milliseconds(offset)} ms late for its frame`,
      ),
    );
    return milliseconds(offset);
  });
  return { figures: { offsets: offsets.join(", ") }, problems };
};

/** Adds the beep's distance from the nearest frame to that frame's time in the output. */
function playedAt(beep: number, { shown }: Expected, frames: readonly MeasuredFrame[]): number {
  const firstSeen = new Map<number | null, number>();
  for (const { number, seconds } of frames) if (!firstSeen.has(number)) firstSeen.set(number, seconds);
  // the first frame may be held for a picture that starts late
  const candidates = shown.slice(shown.length > 1 ? 1 : 0).filter(({ number }) => firstSeen.has(number));
  const nearest = candidates.toSorted((a, b) => Math.abs(a.seconds - beep) - Math.abs(b.seconds - beep))[0];
  return nearest ? firstSeen.get(nearest.number)! + beep - nearest.seconds : Number.NaN;
}

/** Ignores short encoder gaps where the track repeats. */
function checkMusic({ samples, pictureSeconds }: Measured): ReturnType<Check> {
  const step = SAMPLE_RATE / 50;
  const margin = 2 * step;
  const gaps: { from: number; steps: number }[] = [];
  for (let at = margin; at + step < pictureSeconds * SAMPLE_RATE - margin; at += step) {
    const power = samples.subarray(at, at + step).reduce((sum, sample) => sum + sample ** 2, 0) / step;
    if (Math.sqrt(power) >= QUIETEST_MUSIC) continue;
    const last = gaps.at(-1);
    if (last && last.from + last.steps * step === at) last.steps++;
    else gaps.push({ from: at, steps: 1 });
  }
  const problems = gaps
    .filter(({ steps }) => (steps * step) / SAMPLE_RATE > MAX_GAP_SECONDS)
    .map(({ from, steps }) => `the music is silent for ${steps * 20} ms from ${(from / SAMPLE_RATE).toFixed(2)} s on`);
  return { figures: { offsets: "music" }, problems };
}
