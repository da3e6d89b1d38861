import { checkBars, checkDrawings, checkFrames, checkSize } from "./check-picture.ts";
import { checkSound } from "./check-sound.ts";
import type { Expected } from "./clips/corpus-clip.ts";
import {
  type Check,
  problemIf,
  type Findings,
  milliseconds,
  MAX_FRAMES_PER_SECOND,
  NOTHING_FOUND,
} from "./findings.ts";
import type { Measured } from "./measure-output.ts";
import type { Mode } from "./render-modes.ts";

/** Sound encoders work in frames of 21 ms. */
const SOUND_FRAME_SECONDS = 0.0214;
const ROUNDING_SECONDS = 0.002;

export function checkOutput(mode: Mode, expected: Expected, measured: Measured): Findings {
  const checks = [checkSize, checkFrames, checkLength, checkSound, checkBars, checkDrawings];
  const found = checks.map((check) => check(expected, measured, mode));
  return {
    ...NOTHING_FOUND,
    ...Object.assign({}, ...found.map(({ figures }) => figures)),
    problems: [...measured.misreported, ...found.flatMap(({ problems }) => problems)],
  };
}

const checkLength: Check = (expected, measured, mode) => {
  const { framesPerSecond, soundSeconds = expected.seconds, soundPaddingSeconds = 0 } = expected;
  // replacing music is as long as the picture, whatever the old sound was
  const own = mode === "replaced" ? expected.pictureSeconds : expected.seconds;
  const seconds = own ?? expected.seconds;
  const isLengthKnown = own !== null;
  const frameSeconds = Math.min(0.1, 1 / Math.min(framesPerSecond, MAX_FRAMES_PER_SECOND));
  const { pictureSeconds, soundExcessSeconds: excess } = measured;
  const most = frameSeconds + ROUNDING_SECONDS;
  const maxSound = Math.max(frameSeconds, SOUND_FRAME_SECONDS) + ROUNDING_SECONDS;
  // without encoding, the silence after a short sound may be missing
  const least = mode === "copied" ? Math.min(0, soundSeconds - seconds) : 0;
  const isApart = excess !== null && (excess > maxSound || excess < least - maxSound);
  const sound = excess === null ? "" : `, sound ${milliseconds(excess)} ms longer`;
  return {
    figures: { seconds: `${pictureSeconds.toFixed(3)} of ${seconds.toFixed(3)}${sound}` },
    problems: [
      ...problemIf(
        isLengthKnown && (pictureSeconds < seconds - most || pictureSeconds > seconds + soundPaddingSeconds + most),
        `${pictureSeconds.toFixed(3)} s instead of ${seconds.toFixed(3)} s`,
      ),
      ...problemIf(isApart, `sound lasts ${milliseconds(excess ?? 0)} ms longer than its picture`),
    ],
  };
};
