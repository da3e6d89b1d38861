import { expect, it } from "vitest";
import { measureWork } from "./measured-work.ts";

const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
const video = (from: number, to: number) => ({ id: `${from}`, started_at: at(from), ended_at: at(to) });
const output = (seconds: number, bytes: number) => ({ duration_seconds: seconds, size_bytes: bytes });

it("measures the work of overlapping videos once, without breaks", () => {
  const videos = [video(100, 104), video(0, 6), video(4, 10), { id: "x", started_at: null, ended_at: null }];
  expect(measureWork(videos, [output(14, 3_000), output(14, 4_000)])).toEqual({ speed: 2, bytesPerSecond: 250 });
});

it("returns null with too little work", () => {
  expect(measureWork([], [])).toBeNull();
  expect(measureWork([video(0, 0.5)], [output(60, 1)])).toBeNull();
});
