import { expect, it } from "vitest";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { EMPTY_FORM } from "./job-form.ts";
import { freshForm } from "./preferences.ts";

const settings = {
  default_variants: 3,
  default_audio_mode: "mix",
  default_video_gain: 0.5,
  default_music_gain: 0.5,
  saved_defaults: [],
} as unknown as SettingsResponse;

// spec 9.8, 9.9, 9.11
it("starts with the job screen's defaults until others are saved", () => {
  expect(freshForm(undefined)).toEqual(EMPTY_FORM);
  expect(freshForm(settings)).toEqual(EMPTY_FORM);
});

it("applies only saved defaults", () => {
  const saved_defaults: SettingsResponse["saved_defaults"] = ["default_variants", "default_music_gain"];
  expect(freshForm({ ...settings, saved_defaults })).toEqual({ ...EMPTY_FORM, variants: "3", musicGain: 0.5 });
});
