import { expect, test } from "vitest";
import { countOwn, describeRow } from "./describe-row.ts";

test("a row's settings are named in the order of the job's, without switches that follow from them", () => {
  const settings = {
    format: "9:16",
    captions_enabled: true,
    custom_captions: ["Summer dress", "Made for hot days"],
    start_seconds: 2,
    end_seconds: null,
    watermark_enabled: false,
    music_gain: 0.5,
  } as const;
  expect(describeRow({ ...settings, custom_captions: [...settings.custom_captions] })).toEqual([
    ["Start at", "2 s"],
    ["End at", "Off"],
    ["Caption texts", "Summer dress (and 1 more)"],
    ["Watermark", "Off"],
    ["Music volume", "50%"],
    ["Format", "9:16"],
  ]);
  expect(describeRow({ custom_captions: [], captions_enabled: false })).toEqual([["Caption texts", "None"]]);
  expect(countOwn(null)).toBe(0);
});
