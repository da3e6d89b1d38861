import { expect, it } from "vitest";
import { forecastSeconds, measureWork } from "./measured-work.ts";

const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
const video = (from: number, to: number) => ({ id: `${from}`, started_at: at(from), ended_at: at(to) });
const output = (seconds: number, bytes: number) => ({ duration_seconds: seconds, size_bytes: bytes });

it("measures the work in the time that videos took, without breaks, and per encode that runs", () => {
  const videos = [video(100, 104), video(0, 6), video(0, 6), { id: "x", started_at: null, ended_at: null }];
  const outputs = [output(16, 3_000), output(16, 5_000)];
  const work = { seconds: 40, encodes: 3 };
  expect(measureWork(videos, outputs, work)).toEqual({ speed: 4, encodes: 1, bytesPerSecond: 250 });
  expect(measureWork(videos, outputs, work, 4)).toMatchObject({ speed: 4 / 3, encodes: 3 });
});

it("forecasts a job with more or fewer pictures than the workers encode at the same time", () => {
  const measured = { speed: 2, encodes: 4, bytesPerSecond: 250 };
  expect(forecastSeconds({ seconds: 40, encodes: 12 }, measured)).toBe(5);
  expect(forecastSeconds({ seconds: 40, encodes: 1 }, measured)).toBe(20);
});

it("returns null with too little work", () => {
  expect(measureWork([], [], { seconds: 10, encodes: 1 })).toBeNull();
  expect(measureWork([video(0, 0.5)], [output(60, 1)], { seconds: 10, encodes: 1 })).toBeNull();
  expect(measureWork([video(0, 5)], [output(60, 1)], null)).toBeNull();
});
