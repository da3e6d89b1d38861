import { expect, test } from "vitest";
import { PREFERENCE_DEFAULTS } from "#contract/settings/settings.ts";
import { readVariants, toForm, toPreferences } from "./defaults-form.ts";

// spec 5.15, 9.6
test.each([
  ["", 1],
  ["  ", 1],
  ["many", 1],
  ["0", 1],
  ["-3", 1],
  ["1", 1],
  [" 7 ", 7],
  ["2.9", 2],
  ["10", 10],
  ["11", 10],
  ["1e9", 10],
  ["Infinity", 10],
])("%j variants are read as %i", (text, variants) => {
  expect(readVariants(text)).toBe(variants);
});

test("saved values are restored unchanged", () => {
  const saved = {
    default_variants: 4,
    default_audio_mode: "mix",
    default_video_gain: 0.3,
    default_music_gain: 1,
  } as const;
  const all = new Set(["variants", "audioMode", "videoGain", "musicGain"]);
  expect(toPreferences(toForm(saved), all)).toEqual(saved);
});

test("only edited fields are saved", () => {
  expect(toPreferences({ ...toForm(PREFERENCE_DEFAULTS), variants: "3" }, new Set(["variants"]))).toEqual({
    default_variants: 3,
  });
});
