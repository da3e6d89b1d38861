import { expect, it } from "vitest";
import { JOB_DEFAULTS } from "../jobs.ts";
import { countWork, type WorkSettings } from "./count-work.ts";

const CAPTIONS = ["One", "Two", "Three"];
const VIDEOS = [10, 20].map((durationSeconds, i) => ({
  link: `https://drive.google.com/file/d/${i}/view`,
  durationSeconds,
}));

function secondsOf(settings: Partial<WorkSettings>, videos: Parameters<typeof countWork>[1] = VIDEOS): number {
  const captions = { captions_enabled: true, custom_captions: CAPTIONS };
  return countWork({ ...JOB_DEFAULTS, ...captions, variants_per_video: 3, ...settings }, videos)!.seconds;
}

it("counts an encode per distinct caption, and one decode per video", () => {
  const three = secondsOf({});
  const one = secondsOf({ variants_per_video: 1 });
  expect(three).toBeGreaterThan(one * 1.5);
  expect(three).toBeLessThan(one * 3);
});

it("counts copies of a picture once", () => {
  const copies = secondsOf({ custom_captions: ["One"] });
  expect(copies).toBe(secondsOf({ custom_captions: ["One"], variants_per_video: 1 }));
});

it("counts the stretches that captions leave in common once", () => {
  expect(secondsOf({}) - secondsOf({ caption_end_seconds: 2 })).toBeCloseTo(2 * (30 - 2 * 2));
});

it("counts more for high quality, HEVC and clips, and little for videos that stay as they are", () => {
  expect(secondsOf({ quality: "high" })).toBeGreaterThan(2 * secondsOf({}));
  expect(secondsOf({ codec: "hevc" })).toBeGreaterThan(2 * secondsOf({}));
  expect(secondsOf({ segmentation_type: "multiple", segment_duration: 2 })).toBeGreaterThan(secondsOf({}));
  const asTheyAre = { captions_enabled: false, custom_captions: [] };
  expect(secondsOf(asTheyAre)).toBeLessThan(secondsOf({}) / 8);
  expect(secondsOf({ ...asTheyAre, format: "1:1" })).toBeGreaterThan(2 * secondsOf(asTheyAre));
  expect(secondsOf({ ...asTheyAre, codec: "hevc" })).toBeGreaterThan(2 * secondsOf(asTheyAre));
  expect(secondsOf({ ...asTheyAre, speed: 1.25 })).toBeGreaterThan(2 * secondsOf(asTheyAre));
});

it("counts encodes by playback time, and decodes by the whole source, at any speed", () => {
  // 30 s of sources, in three captions.
  const encodes = 3 * 30;
  expect(secondsOf({}) - secondsOf({ speed: 2 })).toBeCloseTo(encodes / 2);
  expect(secondsOf({ speed: 0.5 }) - secondsOf({})).toBeCloseTo(encodes);
});

it("follows the rows' settings and the parts of videos, and needs all lengths", () => {
  const rows = VIDEOS.map((video) => ({ ...video, row: { custom_captions: ["Own"], captions_enabled: true } }));
  expect(secondsOf({}, rows)).toBe(secondsOf({ custom_captions: ["One"] }));
  expect(secondsOf({ end_seconds: 5 })).toBeLessThan(secondsOf({}) / 2);
  const unknown = [{ ...VIDEOS[0]!, durationSeconds: null }];
  expect(countWork(JOB_DEFAULTS, unknown)).toBeNull();
});
