import { expect, it } from "vitest";
import { JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import { describePreset, describeVersion } from "./describe-preset.ts";

const settings = { ...JOB_DEFAULTS, quality: "high" as const, caption_set_id: "a", custom_captions: ["One"] };

it("describes a preset and what changed since a version", () => {
  expect(describePreset(settings)).toEqual(["Caption set: Chosen", "Caption texts: 1", "Quality: High"]);
  expect(describePreset(JOB_DEFAULTS)).toEqual(["All settings are at their defaults"]);
  expect(describeVersion({ ...settings, quality: "draft", custom_captions: ["Two"] }, settings)).toEqual([
    "Caption texts: other, now 1",
    "Quality: Draft, now High",
  ]);
});
