import { expect, test } from "vitest";
import { windowStart } from "./window-start.ts";

const video = { position: 0, duration_seconds: 25 };

test("an output starts where its clip does", () => {
  const whole = { variants_per_video: 2, segmentation_type: null, segment_duration: 10 };
  expect(windowStart(whole, video, { variant: 1, segment: 0 })).toBe(0);
  const single = { ...whole, segmentation_type: "single" as const };
  expect(windowStart(single, video, { variant: 1, segment: 0 })).toBe(15);
  const multiple = { ...whole, segmentation_type: "multiple" as const };
  expect(windowStart(multiple, video, { variant: 0, segment: 2 })).toBe(20);
  expect(windowStart(multiple, { ...video, duration_seconds: null }, { variant: 0, segment: 1 })).toBeNull();
});
