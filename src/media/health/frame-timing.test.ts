import { expect, test } from "vitest";
import { chooseFrameGrid } from "./frame-timing.ts";

/** Frames 0 to `count`, in seconds. */
const even = (count: number, rate: number, from = 0) => Array.from({ length: count }, (_, i) => from + i / rate);
const gridOf = (times: number[], reported = 30) => chooseFrameGrid(Float64Array.from(times), reported);

test.each([
  { uneven: [0, 0.012, 0.041], steadyFrom: 0.1 },
  { uneven: [0, 0.01, 0.02], steadyFrom: 0.033 },
  // The first frame after a pause.
  { uneven: [0, 0.005, 0.41], steadyFrom: 0.42 },
])("$uneven at the start do not change the rate of 30", ({ uneven, steadyFrom }) => {
  const { framesPerSecond, offsetSeconds } = gridOf([...uneven, ...even(60, 30, steadyFrom)]);
  expect(framesPerSecond).toBe(30);
  const shift = (steadyFrom - offsetSeconds) * 30;
  expect(Math.abs(shift - Math.round(shift)) / 30).toBeLessThan(0.003);
});

test("uneven frames later on, or before only a few others, are all kept", () => {
  expect(gridOf([...even(40, 30), 1.312, ...even(40, 30, 4 / 3)]).framesPerSecond).toBe(50);
  expect(gridOf([0, 0.012, 0.041, ...even(12, 30, 0.1)]).framesPerSecond).toBe(50);
});

test("an even rate stays as it is", () => {
  for (const rate of [12, 24_000 / 1_001, 25, 30_000 / 1_001, 50, 60])
    expect(gridOf(even(60, rate)).framesPerSecond).toBeCloseTo(rate, 6);
});
