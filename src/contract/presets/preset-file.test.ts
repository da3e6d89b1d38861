import { expect, it } from "vitest";
import { JOB_DEFAULTS } from "../jobs/jobs.ts";
import { freeName, readPresetFile, writePresetFile } from "./preset-file.ts";

const settings = { ...JOB_DEFAULTS, quality: "high" as const, caption_set_id: "a", custom_captions: ["One"] };

it("reads what it wrote, without what only this installation has", () => {
  expect(readPresetFile(writePresetFile({ name: " A ", settings }))).toMatchObject({
    name: "A",
    settings: { ...settings, caption_set_id: null, audio_set_id: null },
  });
});

it.each([
  ["{", "This file is not valid JSON. Choose a file that was exported as a preset."],
  ["[1]", "This file is not a preset: it needs a name and settings."],
  ['{"name": "A", "settings": []}', "This file is not a preset: it needs a name and settings."],
  ['{"name": " ", "settings": {}}', "This file is not a preset: it needs a name and settings."],
  [
    '{"clipmill_preset": 2, "name": "A", "settings": {}}',
    "A newer version of Clipmill exported this preset. Upgrade Clipmill to import it.",
  ],
])("rejects %s", (text, sentence) => expect(readPresetFile(text)).toBe(sentence));

it("finds a free name, ignoring case", () => {
  expect(freeName("Shorts", ["shorts", "SHORTS 2"])).toBe("Shorts 3");
  expect(freeName("Shorts", [])).toBe("Shorts");
});
