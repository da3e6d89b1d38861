import { expect, test } from "vitest";
import { estimateCost } from "./estimate-cost.ts";
import { framesIn } from "./fit-size.ts";

function plan(request: {
  width: number;
  height: number;
  framesPerSecond: number;
  seconds: number;
  pictures?: number;
  sounds?: number;
}) {
  const { width, height, framesPerSecond, seconds, pictures = 0, sounds = 0 } = request;
  const frameRate = { numerator: framesPerSecond, denominator: 1 };
  const frames = framesIn(seconds, frameRate);
  const cut = { firstFrame: 0, startSeconds: 0, seconds, frames, isCutAtStart: false, isCutAtEnd: false };
  return {
    ...{ width, height, frameRate },
    stretches: Array.from({ length: pictures }, (_, i) => ({
      id: `${i}`,
      ...{ source: 0, cut, layers: [{ drawing: i, shown: null }] },
      followsSeam: false,
      precedesPart: false,
    })),
    sounds: Array.from({ length: sounds }, (_, i) => ({
      id: `${i}`,
      parts: [],
      seconds: cut.seconds,
      isCutAtStart: false,
      isCutAtEnd: false,
      trackIndex: i,
    })),
  };
}

test.each([
  ["a minute of 1080p at 30", { width: 1_080, height: 1_920, framesPerSecond: 30, seconds: 60, pictures: 1 }, 1],
  ["4K at 60", { width: 3_840, height: 2_160, framesPerSecond: 60, seconds: 60, pictures: 1 }, 8],
  ["ten captions", { width: 1_920, height: 1_080, framesPerSecond: 30, seconds: 60, pictures: 10 }, 10],
  ["music alone", { width: 1_920, height: 1_080, framesPerSecond: 30, seconds: 60, sounds: 20 }, 1],
  ["nothing to encode", { width: 1_920, height: 1_080, framesPerSecond: 30, seconds: 60 }, 0],
  [
    "eleven hours at 1 frame a second",
    { width: 1_920, height: 1_080, framesPerSecond: 1, seconds: 39_600, pictures: 1 },
    22,
  ],
])("%s costs its pixels, frames and sounds", (_, request, minutes) => {
  expect(estimateCost(plan(request))).toBeCloseTo(minutes, 6);
});
