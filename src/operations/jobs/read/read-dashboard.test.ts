import { expect, it } from "vitest";
import { measureSpeed, type Speed } from "./read-dashboard.ts";

/** Measures at each [second, progress] in turn. */
function measureAll(moments: [second: number, progress: number][]): Speed | null {
  return moments.reduce<Speed | null>(
    (before, [second, progress]) => measureSpeed(before, progress, second * 1000),
    null,
  );
}

it("returns no speed for one measurement, or for two that are close together", () => {
  expect(measureAll([[0, 5]])?.speed).toBeNull();
  expect(
    measureAll([
      [0, 5],
      [1, 6],
    ])?.speed,
  ).toBeNull();
});

it("uses the first measured speed unchanged", () => {
  expect(
    measureAll([
      [0, 0],
      [4, 10],
    ])?.speed,
  ).toBe(2.5);
});

it("follows a change of load within half a minute", () => {
  const slowed: [number, number][] = Array.from({ length: 15 }, (_, i) => [10 + 2 * (i + 1), 20 + i + 1]);
  const speed = measureAll([[0, 0], [10, 20], ...slowed])!.speed!;
  expect(speed).toBeGreaterThan(0.5);
  expect(speed).toBeLessThan(0.9);
});

it("ignores a gap in which nothing ran", () => {
  expect(
    measureAll([
      [0, 0],
      [4, 10],
      [600, 10],
      [604, 20],
    ])?.speed,
  ).toBeCloseTo(2.5);
});
