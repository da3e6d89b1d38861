import { expect, it } from "vitest";
import { JOB_DEFAULTS, SETTING_NAMES } from "../job-settings/setting-values.ts";
import { PRESET_SETTINGS, settingsOfKit } from "./preset-settings.ts";
import { readBrandSettings, readPresetSettings, withoutJob } from "./read-settings.ts";

it("holds every job setting except the job's name, videos and subtitle file", () => {
  const left = SETTING_NAMES.filter((name) => !(PRESET_SETTINGS as string[]).includes(name));
  expect(left).toEqual(expect.arrayContaining(["job_name", "input_videos"]));
  const ofOneJob = new Set<string>(["job_name", "input_videos", "rows", "slots", "combine", "exclude", "subtitles"]);
  expect(left.filter((name) => !ofOneJob.has(name))).toEqual([]);
});

it("reads a preset of another version: names what it cannot use, and fills in what is missing", () => {
  const { settings, ignored } = readPresetSettings({
    variants_per_video: 3,
    caption_font: "a font of the future",
    glow_seconds: 2,
    music_gain: null,
  });
  expect(ignored).toEqual(["glow_seconds", "caption_font"]);
  expect(settings).toEqual({ ...defaults(), variants_per_video: 3 });
});

it("lets a platform set what is left out, as in a job's request", () => {
  expect(readPresetSettings({ platform: "tiktok" }).settings).toMatchObject({ format: "9:16" });
  expect(readPresetSettings({ platform: "tiktok", format: "1:1" }).settings).toMatchObject({ format: "1:1" });
});

it("drops a job's own settings", () => {
  expect(withoutJob({ job_name: "A", input_videos: ["b"], quality: "high", other: 1 })).toEqual({
    quality: "high",
    other: 1,
  });
});

it("turns watermarks on for a brand kit that has one, and only then", () => {
  const kit = readBrandSettings({
    watermark_text: " Acme ",
    caption_color: "#FFCC00",
    caption_font: 7,
    quality: "high",
  });
  expect(kit).toEqual({ watermark_text: "Acme", caption_color: "#ffcc00" });
  expect(settingsOfKit(kit)).toEqual({ ...kit, watermark_enabled: true });
  expect(settingsOfKit({ watermark_text: null, caption_color: "#ffcc00" })).not.toHaveProperty("watermark_enabled");
});

function defaults() {
  return Object.fromEntries(PRESET_SETTINGS.map((name) => [name, JOB_DEFAULTS[name]]));
}
