import { expect, test } from "vitest";
import { cuesAlong, layInPart } from "./lay-in-part.ts";
import type { Cut, TimedDrawing } from "../render-plan.ts";

const RATE = { numerator: 10, denominator: 1 };

function layIn(firstFrame: number, frames: number, offsetSeconds: number, ...times: [number, number][]) {
  const cut: Cut = { firstFrame, frames, startSeconds: 0, seconds: 0, isCutAtStart: true, isCutAtEnd: true };
  const drawings = times.map(([startSeconds, endSeconds], drawing): TimedDrawing => ({
    drawing,
    startSeconds,
    endSeconds,
  }));
  const layers = layInPart(drawings, { cut, offsetSeconds }, RATE);
  return layers.map(({ drawing, shown }) => [drawing, shown && [shown.fromFrame, shown.toFrame]]);
}

test("drawings are shown on the part's own frames, one at a time", () => {
  expect(layIn(20, 30, 0, [1, 1.9], [1.5, 2.5], [2.5, 3.02], [3, 4], [4.96, 9], [9, 10])).toEqual([
    [1, [0, 5]],
    [2, [5, 10]],
    [3, [10, 20]],
  ]);
  expect(layIn(20, 30, 0.5, [2, 3.04])).toEqual([[0, [0, 5]]]);
  expect(layIn(20, 30, 0, [0, 9])).toEqual([[0, null]]);
});

test("one that ends before its first frame is left out", () => {
  expect(layIn(0, 30, 0, [1, 1.02], [1.04, 2])).toEqual([[1, [10, 20]]]);
});

test("at another speed, they follow the source", () => {
  const cut = { firstFrame: 10, frames: 30, startSeconds: 1, seconds: 3, isCutAtStart: true, isCutAtEnd: true };
  const part = { cut, offsetSeconds: 0, speed: 2 };
  // At twice the speed, words at 4 to 6 s of the source play at 2 to 3 s.
  const [layer] = layInPart([{ drawing: 0, startSeconds: 4, endSeconds: 6 }], part, RATE);
  expect([layer!.shown!.fromFrame, layer!.shown!.toFrame]).toEqual([10, 20]);
  const line = { startSeconds: 4, endSeconds: 6, words: [] };
  const [cue] = cuesAlong(
    [{ source: 0, window: null, speed: 2, cues: [line] }],
    [{ cut, offsetSeconds: 0 }],
    [0],
    RATE,
  );
  expect([cue!.startSeconds, cue!.endSeconds]).toEqual([1, 2]);
});
