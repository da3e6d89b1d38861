import { expect, test } from "vitest";
import { progressFigure, shownPercent, videoSlats } from "./job-progress.ts";

const processing = {
  status: "Processing",
  progress: 31.5,
  current_video: 13,
  total_videos: 40,
  failed_videos: null,
} as const;

// spec 4.1.5, 9.4
test("shows 3 percent for a processing job at 0, and 0 for any other", () => {
  expect(shownPercent({ status: "Processing", progress: 0 })).toBe(3);
  expect(shownPercent({ status: "Processing", progress: 0.4 })).toBe(3);
  expect([0, 1, 2.9, 4].map((progress) => shownPercent({ status: "Processing", progress }))).toEqual([3, 3, 3, 4]);
  expect(shownPercent({ status: "Queued", progress: 0 })).toBe(0);
  expect(shownPercent({ status: "Cancelled", progress: 38 })).toBe(38);
});

// spec 2.3.11
test("counts videos, or shows a percentage without counts", () => {
  expect(progressFigure(processing)).toBe("13/40");
  expect(progressFigure({ ...processing, current_video: null })).toBe("32%");
  expect(progressFigure({ ...processing, progress: 0, total_videos: 0 })).toBe("3%");
});

test("divides the strip into one slat per video", () => {
  const slats = videoSlats(processing);
  expect(slats).toHaveLength(40);
  expect(slats.slice(0, 12)).toEqual(Array(12).fill("done"));
  expect(slats[12]).toEqual({ running: expect.closeTo(0.6) });
  expect(slats.slice(13)).toEqual(Array(27).fill("todo"));
});

test("keeps the running slat between nearly empty and nearly full", () => {
  expect(videoSlats({ ...processing, progress: 90 })[12]).toEqual({ running: 0.95 });
  expect(videoSlats({ ...processing, progress: 1 })[12]).toEqual({ running: 0.1 });
  expect(videoSlats({ ...processing, current_video: null })).toEqual([]);
});

test("shows one failed slat per failed video, after the completed ones", () => {
  const slats = videoSlats({ ...processing, failed_videos: 2 });
  expect(slats.slice(9, 12)).toEqual(["done", "failed", "failed"]);
});
