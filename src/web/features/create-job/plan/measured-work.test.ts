import { expect, it } from "vitest";
import { measureWork } from "./measured-work.ts";

const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
const video = (from: number, to: number) => ({ id: `${from}`, started_at: at(from), ended_at: at(to) });
const output = (seconds: number, bytes: number) => ({ duration_seconds: seconds, size_bytes: bytes });

it("measures the work on one video, and how many are processed at the same time, without breaks", () => {
  const videos = [video(100, 104), video(0, 6), video(0, 6), { id: "x", started_at: null, ended_at: null }];
  const outputs = [output(16, 3_000), output(16, 5_000)];
  expect(measureWork(videos, outputs)).toEqual({ speed: 2, parallel: 1.6, bytesPerSecond: 250 });
  // What the workers can do counts, even if the finished job had a single video.
  expect(measureWork(videos, outputs, 4)).toMatchObject({ speed: 2, parallel: 4 });
});

it("returns null with too little work", () => {
  expect(measureWork([], [])).toBeNull();
  expect(measureWork([video(0, 0.5)], [output(60, 1)])).toBeNull();
});
