import { expect, test } from "vitest";
import { checkConformance } from "./check-conformance.ts";
import type { Mp4Summary } from "./mp4-summary.ts";

const FILE: Mp4Summary = {
  sizeBytes: 9_400_000,
  isIndexInFront: true,
  hasEditLists: false,
  video: {
    ...{ codec: "H.264", seconds: 15, bytes: 9_000_000, width: 1080, height: 1920, frames: 450 },
    maxKeyframeSeconds: 0.5,
  },
  audio: { codec: "AAC", seconds: 15, bytes: 240_000, hz: 48_000, channels: 2 },
};

function warnings(platform: Parameters<typeof checkConformance>[0], file: Mp4Summary): string[] {
  const { checks } = checkConformance(platform, file);
  return checks
    .filter(({ status }) => status === "warn")
    .map(({ rule, found, expected }) => `${rule}: ${found}, ${expected}`);
}

test.each(["tiktok", "reels", "shorts"] as const)("a file within all rules of %s passes", (platform) => {
  expect(warnings(platform, FILE)).toEqual([]);
});

test("a report has the figure and the limit of each rule that is not met", () => {
  const long = {
    ...FILE,
    hasEditLists: true,
    video: { ...FILE.video, seconds: 200, frames: 4_000, maxKeyframeSeconds: 8.3 },
  };
  expect(warnings("shorts", long)).toEqual([
    "length: 200 s, at most 180 s",
    "keyframes: every 8.3 s, at most every 0.5 s",
    "edit_lists: present, none",
  ]);
  expect(warnings("reels", long)).toEqual(["frame_rate: 20 fps, 23 fps to 60 fps", "edit_lists: present, none"]);
  const heavy = { ...FILE, audio: { ...FILE.audio!, bytes: 360_000 }, sizeBytes: 400e6, isIndexInFront: false };
  expect(warnings("reels", heavy)).toEqual([
    "file_size: 400 MB, at most 300 MB",
    "audio_bit_rate: 192 kbit/s, at most 128 kbit/s",
    "index: at the end, at the start",
  ]);
});

test("a wide video is no Short, a small one is not for TikTok, and 59.94 frames per second are within 60", () => {
  const wide = { ...FILE, video: { ...FILE.video, width: 1920, height: 1080, frames: 899, seconds: 15 } };
  expect(warnings("shorts", wide)).toEqual(["shape: 1.78, 0.01 to 1.00"]);
  expect(warnings("tiktok", wide)).toEqual([]);
  const small = { ...FILE, audio: null, video: { ...FILE.video, width: 180, height: 320 } };
  expect(warnings("tiktok", small)).toEqual(["picture_size: 180x320, 360 to 4096 wide, 360 to 4096 high"]);
  expect(checkConformance("reels", small).checks.map(({ rule }) => rule)).not.toContain("audio_codec");
});
