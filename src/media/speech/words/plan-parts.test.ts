import { expect, test } from "vitest";
import { planParts } from "./plan-parts.ts";

const range = ([startSeconds, endSeconds]: [number, number]) => ({ startSeconds, endSeconds });

test.each<[name: string, speech: [number, number][], seconds: number, parts: [number, number][]]>([
  ["nothing without speech", [], 100, []],
  ["short sound is one part, without the silence around it", [[10, 20]], 100, [[9.5, 20.5]]],
  [
    "long sound is cut in its longest pause",
    [
      [0, 320],
      [322, 450],
      [451, 900],
    ],
    900,
    [
      [0, 320.5],
      [321.5, 900],
    ],
  ],
  [
    "long silence is left out",
    [
      [0, 400],
      [2_000, 2_100],
    ],
    2_100,
    [
      [0, 400.5],
      [1_999.5, 2_100],
    ],
  ],
  [
    "an early long silence, too",
    [
      [0, 100],
      [2_000, 2_100],
    ],
    2_100,
    [
      [0, 100.5],
      [1_999.5, 2_100],
    ],
  ],
  [
    "speech without a pause is cut at ten minutes",
    [[0, 1_300]],
    1_300,
    [
      [0, 600],
      [600, 1_200],
      [1_200, 1_300],
    ],
  ],
])("%s", (_, speech, seconds, parts) => {
  expect(planParts(speech.map(range), seconds)).toEqual(parts.map(range));
});
