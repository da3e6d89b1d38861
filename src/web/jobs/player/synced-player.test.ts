import { expect, test } from "vitest";
import { correctDrift, frameRateOf, frameTime } from "./synced-player.ts";

test("a video that drifts gets back to the clock, from far away by a seek", () => {
  let lead = 0.25;
  for (let second = 0; second < 10; second += 0.1) lead += 0.1 * (correctDrift(lead).rate - 1);
  expect(Math.abs(lead)).toBeLessThan(0.016);
  expect(correctDrift(-0.1)).toEqual({ rate: 1.1, isFar: false });
  expect(correctDrift(-2)).toEqual({ rate: 1, isFar: true });
});

test("steps one frame at any rate, and never before the first one", () => {
  for (const rate of [24, 30_000 / 1001, 30, 60]) {
    let at = 0;
    for (let frame = 1; frame <= 200; frame += 1) {
      at = frameTime(at, rate, 1);
      expect(Math.floor(at * rate)).toBe(frame);
    }
    expect(frameTime(1 / rate, rate)).toBeCloseTo(1.5 / rate, 6);
  }
  expect(frameTime(0, 30, -1)).toBeCloseTo(0.5 / 30, 6);
});

test("recognizes the usual rates from the time between two frames", () => {
  expect(frameRateOf(0.0333)).toBe(30);
  expect(frameRateOf(0.041)).toBeCloseTo(24.4, 1);
  expect(frameRateOf(0.016_68)).toBeCloseTo(59.94, 2);
  expect(frameRateOf(null)).toBe(30);
  expect(frameRateOf(0)).toBe(30);
});
