import { expect, test } from "vitest";
import { bestLevel, evenGains, firstLevel, needsCheck, needsLimiter, nextLevel, SILENCE } from "./loudness.ts";

const quiet = { integratedLufs: -30, truePeakDb: -20 };
const peaky = { integratedLufs: -30, truePeakDb: -3 };

test("a gain alone brings a sound with low peaks to its target", () => {
  const level = firstLevel(quiet, -14)!;
  expect(level.gainDb).toBe(16);
  expect(needsLimiter(quiet, level)).toBe(false);
  expect(needsCheck(quiet, level)).toBe(false);
});

test("peaks above the ceiling are limited, and the result is checked", () => {
  const level = firstLevel(peaky, -14)!;
  expect(level.ceilingDb).toBeLessThan(-1);
  expect(needsLimiter(peaky, level)).toBe(true);
  expect(needsCheck(peaky, level)).toBe(true);
});

test("silence, noise of silent recordings and sounds too short to measure have no level", () => {
  expect(firstLevel(SILENCE, -14)).toBeNull();
  expect(firstLevel({ integratedLufs: -61, truePeakDb: -50 }, -14)).toBeNull();
  expect(firstLevel({ integratedLufs: Number.NaN, truePeakDb: -3 }, -14)).toBeNull();
});

const part = (integratedLufs: number | null, seconds = 1) => ({ seconds, integratedLufs });

test("parts get the loudness of all together, which silence does not change", () => {
  expect(evenGains([part(-20), part(-20), part(-20)])).toEqual([0, 0, 0]);
  expect(evenGains([part(-14), part(null), part(-14, 9), part(-70)])).toEqual([0, 0, 0, 0]);
  const [loud, quiet] = evenGains([part(-14), part(-34)]);
  expect(quiet! - loud!).toBeCloseTo(20, 5);
  expect(loud).toBeCloseTo(-3, 0);
  expect(evenGains([part(-14, 100), part(-55)])[1]).toBe(20);
  expect(evenGains([part(null)])).toEqual([0]);
});

test("a sound that is right is kept", () => {
  const level = { gainDb: 16, ceilingDb: -1.9 };
  expect(nextLevel(peaky, [{ level, encoded: { integratedLufs: -14.2, truePeakDb: -1.2 } }], -14)).toBeNull();
});

test("what the limiter took is given back, at the rate that the limiter leaves", () => {
  // 16 dB of gain raised the loudness by 14.5 LU; of the last 14.9 dB, which were limited, 13.4 remained.
  const level = { gainDb: 16, ceilingDb: -1.9 };
  const next = nextLevel(peaky, [{ level, encoded: { integratedLufs: -15.5, truePeakDb: -1.5 } }], -14)!;
  expect(next.ceilingDb).toBeCloseTo(-1.9, 5);
  expect(next.gainDb).toBeCloseTo(16 + 1.5 / (13.4 / 14.9), 5);
});

test("what AAC added to peaks is taken off the ceiling, and the loudness stays", () => {
  const level = { gainDb: 16, ceilingDb: -1.9 };
  const encoded = { integratedLufs: -15, truePeakDb: -0.6 };
  const next = nextLevel(peaky, [{ level, encoded }], -15)!;
  expect(next.ceilingDb).toBeLessThan(-1.9 - 0.5);
  expect(next.gainDb).toBeGreaterThan(16);
});

test("if no level is good, the nearest without too high peaks is used", () => {
  const tried = [
    { level: { gainDb: 1, ceilingDb: -2 }, encoded: { integratedLufs: -16, truePeakDb: -2 } },
    { level: { gainDb: 2, ceilingDb: -2 }, encoded: { integratedLufs: -14, truePeakDb: -0.5 } },
    { level: { gainDb: 3, ceilingDb: -2 }, encoded: { integratedLufs: -15, truePeakDb: -1.5 } },
  ];
  expect(bestLevel(tried, -14).gainDb).toBe(3);
});
