import { expect, it } from "vitest";
import { JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import { PRESET_SETTINGS, type PresetSettings } from "#contract/presets/preset-settings.ts";
import { EMPTY_FORM, type JobForm } from "../draft/job-form.ts";
import { describeDifferences, findDifferences, isOutdated, presetSettingsOf, withPreset } from "./preset-form.ts";

const defaults = Object.fromEntries(PRESET_SETTINGS.map((name) => [name, JOB_DEFAULTS[name]])) as PresetSettings;
const preset = {
  id: "p",
  version: 2,
  settings: { ...defaults, quality: "high", captions_enabled: true, custom_captions: ["One", "Two"], music_gain: 0.4 },
} as const satisfies { id: string; version: number; settings: PresetSettings };
const typed: JobForm = { ...EMPTY_FORM, jobName: "Mine", videoLinks: "https://a.test/b.mp4", quality: "draft" };

it("fills the form, keeps its name and videos, and returns the same settings", () => {
  const form = withPreset(typed, preset);
  expect(form).toMatchObject({ jobName: "Mine", videoLinks: typed.videoLinks, quality: "high", captions: "One\nTwo" });
  expect(form.presetId).toBe("p");
  expect(presetSettingsOf(form)).toEqual(preset.settings);
  expect(findDifferences(form, preset)).toEqual([]);
});

it("keeps slots, which are videos", () => {
  const slots = JSON.stringify([{ name: "Hook", clips: [{ link: "https://a.test/b.mp4" }] }]);
  const form: JobForm = { ...typed, videoLinks: "", slots, combine: '"each"', exclude: '[["a","b"]]' };
  expect(withPreset(form, preset)).toMatchObject({ slots, combine: form.combine, exclude: form.exclude });
});

it("names the settings that differ, by value and not by spelling", () => {
  const form = { ...withPreset(typed, preset), quality: "draft" as const, variants: "01", captions: "One" };
  const differences = findDifferences(form, preset);
  expect(differences.map(({ name }) => name)).toEqual(["custom_captions", "quality"]);
  expect(describeDifferences(differences)).toBe("Differs in Caption texts, Quality");
  expect(describeDifferences(findDifferences(EMPTY_FORM, preset))).toBe(
    "Differs in Captions, Caption texts, Music volume, Quality",
  );
  const many = ["A", "B", "C", "D", "E"].map((label) => ({ name: "quality" as const, label }));
  expect(describeDifferences(many)).toBe("Differs in A, B, C and 2 more");
  expect(describeDifferences([])).toBeNull();
});

it("remembers the version that the form's settings come from", () => {
  const form = withPreset(typed, preset);
  expect(isOutdated(form, preset)).toBe(false);
  expect(isOutdated(form, { ...preset, version: 3 })).toBe(true);
  expect(isOutdated({ ...form, presetVersion: "" }, preset)).toBe(false);
});
