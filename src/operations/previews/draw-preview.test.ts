import { expect, test } from "vitest";
import { JOB_DEFAULTS, pickSettings, previewSettingNames } from "#contract/job-settings/setting-values.ts";
import { previewSchema } from "./draw-preview.ts";

test("a preview accepts the default of every setting it shows, also where that is null, and fills in the same", () => {
  const defaults = pickSettings(JOB_DEFAULTS, previewSettingNames());
  const texts = { input_video: null, caption: null, watermark_text: null, at_seconds: null, layers: [] };
  expect(previewSchema.parse({ ...defaults, ...texts })).toEqual({ ...defaults, ...texts });
  expect(previewSchema.parse({})).toEqual({ ...defaults, ...texts });
  // Longer than a layer's own text: its fields are filled in.
  const layers = [{ kind: "text", text: "x".repeat(3_000) }];
  expect(previewSchema.parse({ layers })).toMatchObject({ layers });
});
