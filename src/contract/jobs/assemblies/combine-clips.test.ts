import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { combineClips } from "./combine-clips.ts";
import type { Combination, Exclusion, Slot } from "./slots.ts";

const slotsOf = (...sizes: number[]): Slot[] =>
  sizes.map((size, slot) => ({
    name: `Slot ${"ABCDE"[slot]}`,
    clips: Array.from({ length: size }, (_, clip) => ({ link: `https://clips.example/${slot}-${clip}` })),
  }));

/** How often each clip of a slot is used, and each pair of two slots' clips. */
function countUses(combinations: readonly Combination[], sizes: readonly number[]) {
  const clips = sizes.map((size, slot) =>
    Array.from({ length: size }, (_, clip) => combinations.filter((one) => one[slot] === clip).length),
  );
  const pairs = sizes.flatMap((first, a) =>
    sizes.slice(a + 1).map((second, k) => {
      const b = a + 1 + k;
      return Array.from({ length: first * second }, (_, pair) => {
        const [x, y] = [Math.floor(pair / second), pair % second];
        return combinations.filter((one) => one[a] === x && one[b] === y).length;
      });
    }),
  );
  return { clips, pairs };
}

const spreadOf = (counts: readonly number[]) => Math.max(...counts) - Math.min(...counts);
const areDistinct = (combinations: readonly Combination[]) =>
  new Set(combinations.map(String)).size === combinations.length;

describe("all", () => {
  it("combines each clip with each, the last slot changing first", () => {
    expect(combineClips(slotsOf(2, 1, 2))).toEqual([
      [0, 0, 0],
      [0, 0, 1],
      [1, 0, 0],
      [1, 0, 1],
    ]);
    expect(combineClips(slotsOf(5, 4, 3))).toHaveLength(60);
  });

  it("leaves out excluded pairs, named by link or by slot and number", () => {
    const exclude: Exclusion[] = [
      ["https://clips.example/0-0", "https://clips.example/1-1"],
      ["Slot A 2", "slot b 1"],
    ];
    expect(combineClips(slotsOf(2, 2), "all", exclude)).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it("stops after the limit", () => {
    expect(combineClips(slotsOf(100, 100, 100, 100, 100))).toHaveLength(10_001);
  });
});

describe("each", () => {
  it("takes the slots' clips in turn, and starts smaller slots again", () => {
    expect(combineClips(slotsOf(3, 2), "each")).toEqual([
      [0, 0],
      [1, 1],
      [2, 0],
    ]);
  });

  it("gives way where a pair is excluded", () => {
    expect(combineClips(slotsOf(3, 3), "each", [["Slot A 2", "Slot B 2"]])).toEqual([
      [0, 0],
      [1, 2],
      [2, 2],
    ]);
  });
});

describe("a number", () => {
  const SIZES = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 2, maxLength: 4 });

  it("uses each clip of a slot equally often, or once more", () => {
    fc.assert(
      fc.property(SIZES, fc.integer({ min: 1, max: 60 }), (sizes, count) => {
        const all = sizes.reduce((product, size) => product * size, 1);
        const combinations = combineClips(slotsOf(...sizes), count);
        expect(combinations).toHaveLength(Math.min(count, all));
        expect(areDistinct(combinations)).toBe(true);
        for (const clips of countUses(combinations, sizes).clips) expect(spreadOf(clips)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 40 },
    );
  });

  it("uses each pair of two slots equally often, or once more", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.nat(81), (a, b, count) => {
        const combinations = combineClips(slotsOf(a, b), Math.max(1, count));
        for (const pairs of countUses(combinations, [a, b]).pairs) expect(spreadOf(pairs)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    [[2, 2, 2], 4],
    [[3, 3, 3], 9],
    [[3, 3, 3, 3], 9],
    [[4, 4, 4], 16],
    [[5, 5, 5], 25],
    [[5, 4, 3], 20],
    [[5, 4, 3], 30],
    [[6, 4, 2], 24],
    [[10, 8, 5], 200],
  ])("evens out the pairs of %j in %i combinations as far as the number allows", (sizes, count) => {
    const combinations = combineClips(slotsOf(...sizes), count);
    expect(combinations).toHaveLength(count);
    for (const pairs of countUses(combinations, sizes).pairs) {
      expect(spreadOf(pairs)).toBeLessThanOrEqual(count % pairs.length === 0 ? 0 : 1);
    }
  });

  it("keeps excluded pairs out and still uses every clip", () => {
    const exclude: Exclusion[] = [
      ["Slot A 1", "Slot B 1"],
      ["Slot B 2", "Slot C 2"],
    ];
    const combinations = combineClips(slotsOf(4, 3, 3), 12, exclude);
    expect(combinations).toHaveLength(12);
    expect(areDistinct(combinations)).toBe(true);
    expect(combinations.filter(([a, b, c]) => (a === 0 && b === 0) || (b === 1 && c === 1))).toEqual([]);
    for (const clips of countUses(combinations, [4, 3, 3]).clips) expect(Math.min(...clips)).toBeGreaterThan(0);
  });

  it("returns the same combinations each time, and all if fewer are left", () => {
    expect(combineClips(slotsOf(9, 8, 7), 50)).toEqual(combineClips(slotsOf(9, 8, 7), 50));
    expect(combineClips(slotsOf(2, 2), 9)).toHaveLength(4);
    expect(combineClips(slotsOf(2, 1), 9, [["Slot A 1", "Slot B 1"]])).toEqual([[1, 0]]);
  });

  it("spreads the most a job may have over many clips", () => {
    const combinations = combineClips(slotsOf(100, 100, 100, 100, 100), 10_000);
    expect(areDistinct(combinations)).toBe(true);
    expect(combinations).toHaveLength(10_000);
  });
});
