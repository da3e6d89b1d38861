/** Compares what was measured with what a player shows of the clip; each difference is a sentence. */
import { SAMPLE_RATE } from "#tests/support/measure-timing.ts";
import { barColors } from "./coded-picture.ts";
import { readBeeps } from "./coded-sound.ts";
import type { Expected } from "./corpus-clip.ts";
import type { Measured, MeasuredFrame } from "./measure-output.ts";
import { isDrawnOn, type Mode } from "./render-modes.ts";

const MOST_FRAMES_PER_SECOND = 60;
const MOST_OFFSET_SECONDS = 0.02;
const MOST_BAR_DISTANCE = 8;
const MOST_ROUNDNESS_ERROR = 0.05;
/** Encoders of sound work in frames of 21 ms. */
const SOUND_FRAME_SECONDS = 0.0214;
const ROUNDING_SECONDS = 0.002;
const FEWEST_LETTER_PIXELS = 12;
/** Quieter than the music, louder than what encoders leave of silence. */
const QUIETEST_MUSIC = 0.05;
const MOST_GAP_SECONDS = 0.1;

/** What one mode made of one clip: a row of the report. */
export type Row = {
  clip: string;
  about: string;
  mode: Mode;
  frames: string;
  firstAndLast: string;
  seconds: string;
  offsets: string;
  bars: string;
  letters: string;
  roundness: string;
  faults: string[];
};

export type Findings = Omit<Row, "clip" | "about" | "mode">;

export const NOTHING_FOUND: Findings = {
  ...{ frames: "", firstAndLast: "", seconds: "", offsets: "", bars: "", letters: "", roundness: "" },
  faults: [],
};

/** Returns the figures of a clip in one mode, and what is wrong with them. */
export function checkOutput(mode: Mode, expected: Expected, measured: Measured): Findings {
  const checks = [checkSize, checkFrames, checkLength, checkSound, checkBars, checkDrawings];
  const found = checks.map((check) => check(expected, measured, mode));
  return {
    ...NOTHING_FOUND,
    ...Object.assign({}, ...found.map(({ figures }) => figures)),
    faults: [...measured.misreported, ...found.flatMap(({ faults }) => faults)],
  };
}

type Check = (expected: Expected, measured: Measured, mode: Mode) => { figures: Partial<Findings>; faults: string[] };

const checkSize: Check = ({ width, height }, measured) => {
  const roundness = mean(measured.frames.map((frame) => frame.roundness));
  return {
    figures: { roundness: roundness.toFixed(3) },
    faults: [
      ...faultIf(
        measured.width !== width || measured.height !== height,
        `${measured.width}x${measured.height} instead of ${width}x${height}`,
      ),
      ...faultIf(
        !(Math.abs(roundness - 1) < MOST_ROUNDNESS_ERROR),
        `the disc is ${roundness.toFixed(3)} as wide as high`,
      ),
    ],
  };
};

const checkFrames: Check = ({ shown, framesPerSecond }, { frames }) => {
  const expected = shown.map(({ number }) => number);
  const seen = frames.map(({ number }) => number);
  const readable = seen.filter((number) => number !== null);
  const distinct = new Set(readable);
  const missing = expected.filter((number) => !distinct.has(number));
  // of more than 60 frames a second, some are left out, evenly
  const step = framesPerSecond > MOST_FRAMES_PER_SECOND ? Math.ceil(framesPerSecond / MOST_FRAMES_PER_SECOND) : 0;
  const [first, last] = [readable[0] ?? -1, readable.at(-1) ?? -1];
  const widest = readable.reduce((most, number, i) => Math.max(most, number - (readable[i - 1] ?? number)), 0);
  const isBackwards = readable.some((number, i) => number < (readable[i - 1] ?? 0));
  const strangers = readable.filter((number) => !expected.includes(number));
  return {
    figures: { frames: `${distinct.size} of ${expected.length}`, firstAndLast: `${first}, ${last}` },
    faults: [
      ...faultIf(readable.length < seen.length, `${seen.length - readable.length} frames are unreadable`),
      ...faultIf(isBackwards, "frames are out of order"),
      ...faultIf(strangers.length > 0, `frames that no player shows: ${list(strangers)}`),
      ...faultIf(Math.abs(first - expected[0]!) > step, `the first frame is ${first}, not ${expected[0]}`),
      ...faultIf(Math.abs(last - expected.at(-1)!) > step, `the last frame is ${last}, not ${expected.at(-1)}`),
      ...(step === 0
        ? faultIf(missing.length > 0, `${missing.length} of ${expected.length} frames are missing: ${list(missing)}`)
        : faultIf(widest > step + 1, `${widest} frames lie between two shown ones, not ${step}`)),
    ],
  };
};

const checkLength: Check = (expected, measured, mode) => {
  const { framesPerSecond, soundSeconds = expected.seconds, soundPaddingSeconds = 0 } = expected;
  // music is as long as the picture, whatever the replaced sound was
  const own = mode === "replaced" ? expected.pictureSeconds : expected.seconds;
  const seconds = own ?? expected.seconds;
  const isLengthKnown = own !== null;
  const frameSeconds = Math.min(0.1, 1 / Math.min(framesPerSecond, MOST_FRAMES_PER_SECOND));
  const { pictureSeconds, soundExcessSeconds: excess } = measured;
  const most = frameSeconds + ROUNDING_SECONDS;
  const mostSound = Math.max(frameSeconds, SOUND_FRAME_SECONDS) + ROUNDING_SECONDS;
  // silence after a sound that ends early may be left out where nothing is encoded
  const least = mode === "copied" ? Math.min(0, soundSeconds - seconds) : 0;
  const isApart = excess !== null && (excess > mostSound || excess < least - mostSound);
  const sound = excess === null ? "" : `, sound ${milliseconds(excess)} ms longer`;
  return {
    figures: { seconds: `${pictureSeconds.toFixed(3)} of ${seconds.toFixed(3)}${sound}` },
    faults: [
      ...faultIf(
        isLengthKnown && (pictureSeconds < seconds - most || pictureSeconds > seconds + soundPaddingSeconds + most),
        `${pictureSeconds.toFixed(3)} s instead of ${seconds.toFixed(3)} s`,
      ),
      ...faultIf(isApart, `sound lasts ${milliseconds(excess ?? 0)} ms longer than its picture`),
    ],
  };
};

const checkSound: Check = (expected, measured, mode) => {
  if (mode === "replaced") return checkMusic(measured);
  if (expected.beeps === null)
    return { figures: {}, faults: faultIf(measured.soundExcessSeconds !== null, "there is sound, the clip has none") };
  const heard = readBeeps(measured.samples);
  const faults: string[] = [];
  const offsets = expected.beeps.map((beep, i) => {
    if (beep === null) return "";
    const at = heard[i] ?? null;
    const offset = at === null ? Number.NaN : at - playedAt(beep, expected, measured.frames);
    faults.push(
      ...faultIf(at === null, `beep ${i + 1} at ${beep.toFixed(2)} s is not heard`),
      ...faultIf(
        Math.abs(offset) >= MOST_OFFSET_SECONDS,
        `beep ${i + 1} is ${milliseconds(offset)} ms late for its frame`,
      ),
    );
    return milliseconds(offset);
  });
  return { figures: { offsets: offsets.join(", ") }, faults };
};

/** Returns when the output shows what the clip shows as it beeps: the time of the nearest frame, and how far it is from that. */
function playedAt(beep: number, { shown }: Expected, frames: readonly MeasuredFrame[]): number {
  const firstSeen = new Map<number | null, number>();
  for (const { number, seconds } of frames) if (!firstSeen.has(number)) firstSeen.set(number, seconds);
  // the first one may stand for a picture that starts late
  const candidates = shown.slice(shown.length > 1 ? 1 : 0).filter(({ number }) => firstSeen.has(number));
  const nearest = candidates.toSorted((a, b) => Math.abs(a.seconds - beep) - Math.abs(b.seconds - beep))[0];
  return nearest ? firstSeen.get(nearest.number)! + beep - nearest.seconds : Number.NaN;
}

/** Replaced sound plays from start to end, but for what encoders leave at a track's seams. */
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
  const faults = gaps
    .filter(({ steps }) => (steps * step) / SAMPLE_RATE > MOST_GAP_SECONDS)
    .map(({ from, steps }) => `the music is silent for ${steps * 20} ms from ${(from / SAMPLE_RATE).toFixed(2)} s on`);
  return { figures: { offsets: "music" }, faults };
}

const checkBars: Check = ({ bars }, { frames }) => {
  const colors = barColors(bars);
  const distances = frames.flatMap((frame) =>
    frame.bars.flatMap((color, i) => color.map((level, c) => Math.abs(level - colors[i]![c]!))),
  );
  const worst = Math.max(...distances);
  return {
    figures: { bars: worst.toFixed(1) },
    faults: faultIf(!(worst <= MOST_BAR_DISTANCE), `bars are ${worst.toFixed(1)} of 255 off`),
  };
};

const checkDrawings: Check = (_, { frames }, mode) => {
  const captioned = frames.filter(({ captionPixels }) => captionPixels >= FEWEST_LETTER_PIXELS).length;
  const marked = frames.filter(({ watermarkPixels }) => watermarkPixels >= FEWEST_LETTER_PIXELS).length;
  const due = isDrawnOn(mode) ? frames.length : 0;
  return {
    figures: { letters: `${captioned}, ${marked} of ${due}` },
    faults: [
      ...faultIf(captioned !== due, `a caption is on ${captioned} of ${frames.length} frames, not on ${due}`),
      ...faultIf(marked !== due, `a watermark is on ${marked} of ${frames.length} frames, not on ${due}`),
    ],
  };
};

function faultIf(isFault: boolean, sentence: string): string[] {
  return isFault ? [sentence] : [];
}

function list(numbers: number[]): string {
  return `${numbers.slice(0, 12).join(" ")}${numbers.length > 12 ? " …" : ""}`;
}

function milliseconds(seconds: number): string {
  return (seconds * 1_000).toFixed(1);
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
