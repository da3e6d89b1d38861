import { expect, it } from "vitest";
import { parseSampleRows } from "#contract/jobs/rows.ts";
import { chooseSamples } from "./wait-for-approval.ts";

const ofEach = (variants: number, videos: number) => Array.from({ length: videos }, () => variants);
const settings = { proof_count: 3, proof_pick: "first", proof_rows: null } as const;

it("samples different videos first, then more variants of them", () => {
  expect([...chooseSamples(settings, ofEach(5, 200), "x")]).toEqual([
    [0, [0]],
    [1, [0]],
    [2, [0]],
  ]);
  expect([...chooseSamples({ ...settings, proof_count: 5 }, [1, 3], "x")]).toEqual([
    [0, [0]],
    [1, [0, 1, 2]],
  ]);
  expect(chooseSamples({ ...settings, proof_count: 0 }, ofEach(5, 200), "x").size).toBe(0);
});

it("samples the chosen videos in their order", () => {
  const rows = { ...settings, proof_pick: "rows", proof_rows: "9-10, 2, 4" } as const;
  expect([...chooseSamples(rows, ofEach(1, 10), "x").keys()]).toEqual([8, 9, 1]);
});

it("samples the same random videos for the same seed", () => {
  const random = { ...settings, proof_count: 20, proof_pick: "random" } as const;
  const choose = (seed: string) => [...chooseSamples(random, ofEach(1, 200), seed).keys()];
  expect(choose("a")).toEqual(choose("a"));
  expect(choose("a")).not.toEqual(choose("b"));
  expect(new Set(choose("a")).size).toBe(20);
});

it.each([
  ["1, 4, 9-12", [1, 4, 9, 10, 11, 12]],
  [" 3,3 , 2 – 3,", [3, 2]],
  ["", []],
  ["0", null],
  ["5-3", null],
  ["1;2", null],
  ["-4", null],
  ["1-999999", null],
  ["1e3", null],
])("reads %j", (text, rows) => {
  expect(parseSampleRows(text)).toEqual(rows);
});
