import { expect, it } from "vitest";
import { isShownAt, scrubRange } from "./scrub-range.ts";

const timing = (from: number, to: number | null) => ({
  ...{ caption_start_seconds: from, caption_end_seconds: to },
  caption_fade: 0 as const,
});

it("needs no scrub bar while captions are always shown", () => {
  expect(scrubRange(timing(0, null))).toBeNull();
});

it("starts where the caption does and reaches beyond its last change", () => {
  expect(scrubRange(timing(0, 3))).toEqual({ mostSeconds: 5, startsAtSeconds: 0 });
  expect(scrubRange(timing(2.5, null))).toEqual({ mostSeconds: 5, startsAtSeconds: 2.5 });
});

it("shows the caption from its start until just before its end", () => {
  expect([0, 1.9, 2, 4.9, 5].map((seconds) => isShownAt(seconds, timing(2, 5)))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
  expect(isShownAt(60, timing(2, null))).toBe(true);
});
