import { expect, it } from "vitest";
import { describeCaptionTiming } from "./describe-caption-timing.ts";

it.each([
  [0, null, 0, null],
  [0, null, 200, null],
  [0, 3, 0, "First 3 s"],
  [2.5, null, 0, "From 2.5 s"],
  [2, 5, 200, "2 to 5 s, fading"],
] as const)("describes %s to %s with a fade of %s ms", (from, to, fade, text) => {
  const timing = { caption_start_seconds: from, caption_end_seconds: to, caption_fade: fade };
  expect(describeCaptionTiming(timing)).toBe(text);
});
