import { barColors } from "./coded-picture.ts";
import { type Check, problemIf, MAX_FRAMES_PER_SECOND } from "./findings.ts";
import { isDrawnOn } from "./render-modes.ts";

const MAX_BAR_DISTANCE = 8;
const MAX_ROUNDNESS_ERROR = 0.05;
const MIN_LETTER_PIXELS = 12;

/** Requires that round shapes stay round. */
export const checkSize: Check = ({ width, height }, measured) => {
  const roundness = mean(measured.frames.map((frame) => frame.roundness));
  return {
    figures: { roundness: roundness.toFixed(3) },
    problems: [
      ...problemIf(
        measured.width !== width || measured.height !== height,
        `${measured.width}x${measured.height} instead of ${width}x${height}`,
      ),
      ...problemIf(
        !(Math.abs(roundness - 1) < MAX_ROUNDNESS_ERROR),
        `the disc is ${roundness.toFixed(3)} as wide as high`,
      ),
    ],
  };
};

/** Requires all frames in order. */
export const checkFrames: Check = ({ shown, framesPerSecond }, { frames }) => {
  const expected = shown.map(({ number }) => number);
  const seen = frames.map(({ number }) => number);
  const readable = seen.filter((number) => number !== null);
  const distinct = new Set(readable);
  const missing = expected.filter((number) => !distinct.has(number));
  // above 60 frames per second, some are dropped, evenly
  const step = framesPerSecond > MAX_FRAMES_PER_SECOND ? Math.ceil(framesPerSecond / MAX_FRAMES_PER_SECOND) : 0;
  const [first, last] = [readable[0] ?? -1, readable.at(-1) ?? -1];
  const widest = readable.reduce((most, number, i) => Math.max(most, number - (readable[i - 1] ?? number)), 0);
  const isBackwards = readable.some((number, i) => number < (readable[i - 1] ?? 0));
  const strangers = readable.filter((number) => !expected.includes(number));
  return {
    figures: { frames: `${distinct.size} of ${expected.length}`, firstAndLast: `${first}, ${last}` },
    problems: [
      ...problemIf(readable.length < seen.length, `${seen.length - readable.length} frames are unreadable`),
      ...problemIf(isBackwards, "frames are out of order"),
      ...problemIf(strangers.length > 0, `frames that no player shows: ${list(strangers)}`),
      ...problemIf(Math.abs(first - expected[0]!) > step, `the first frame is ${first}, not ${expected[0]}`),
      ...problemIf(Math.abs(last - expected.at(-1)!) > step, `the last frame is ${last}, not ${expected.at(-1)}`),
      ...(step === 0
        ? problemIf(missing.length > 0, `${missing.length} of ${expected.length} frames are missing: ${list(missing)}`)
        : problemIf(widest > step + 1, `${widest} frames lie between two shown ones, not ${step}`)),
    ],
  };
};

export const checkBars: Check = ({ bars }, { frames }) => {
  const colors = barColors(bars);
  const distances = frames.flatMap((frame) =>
    frame.bars.flatMap((color, i) => color.map((level, c) => Math.abs(level - colors[i]![c]!))),
  );
  const worst = Math.max(...distances);
  return {
    figures: { bars: worst.toFixed(1) },
    problems: problemIf(!(worst <= MAX_BAR_DISTANCE), `bars are ${worst.toFixed(1)} of 255 off`),
  };
};

/** Requires drawings on every frame, or on none. */
export const checkDrawings: Check = (_, { frames }, mode) => {
  const captioned = frames.filter(({ captionPixels }) => captionPixels >= MIN_LETTER_PIXELS).length;
  const marked = frames.filter(({ watermarkPixels }) => watermarkPixels >= MIN_LETTER_PIXELS).length;
  const due = isDrawnOn(mode) ? frames.length : 0;
  return {
    figures: { letters: `${captioned}, ${marked} of ${due}` },
    problems: [
      ...problemIf(captioned !== due, `a caption is on ${captioned} of ${frames.length} frames, not on ${due}`),
      ...problemIf(marked !== due, `a watermark is on ${marked} of ${frames.length} frames, not on ${due}`),
    ],
  };
};

function list(numbers: number[]): string {
  return `${numbers.slice(0, 12).join(" ")}${numbers.length > 12 ? " …" : ""}`;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
