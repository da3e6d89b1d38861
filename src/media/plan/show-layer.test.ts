import { expect, test } from "vitest";
import { showLayer } from "./cut-footage.ts";

const RATE = { numerator: 30_000, denominator: 1_001 };
const FRAMES = 120;

function shownIn(startSeconds: number, endSeconds: number | null, fadeMs: 0 | 200 = 0) {
  const shown = showLayer(FRAMES, { startSeconds, endSeconds, fadeMs }, RATE);
  return shown && Object.values(shown);
}

test.each([
  ["the defaults show it on all frames", 0, null, 0, [0, 120, 0, 0]],
  ["times are rounded to frames of the output", 1.2, 2.6, 0, [36, 78, 0, 0]],
  ["without an end, it stays", 1, null, 0, [30, 120, 0, 0]],
  ["an end after the output's is the output's", 0, 9, 0, [0, 120, 0, 0]],
  ["it is shown for a frame at least", 1, 1.001, 0, [30, 31, 0, 0]],
  ["an output that ends before it starts has none", 4.1, null, 0, null],
  ["it fades where it appears and disappears", 1, 3, 200, [30, 90, 6, 6]],
  ["it does not fade at the output's start and end", 0, 3, 200, [0, 90, 0, 6]],
  ["a fade takes half of a short time at most", 1, 1.2, 200, [30, 36, 3, 3]],
  ["shown on all frames, it does not fade", 0, null, 200, [0, 120, 0, 0]],
] as const)("%s", (_, from, to, fade, expected) => {
  expect(shownIn(from, to, fade)).toEqual(expected);
});
