import { expect, test } from "vitest";
import type { Layer } from "../render-plan.ts";
import { type Drawing, stackOf } from "./drawing-series.ts";

const plan = { frameRate: { numerator: 30_000, denominator: 1_001 } };
const word = (name: string) => ({ path: `/scratch/${name}.png`, x: 10, y: 20, blankPath: "/scratch/blank.png" });
const drawings = new Map<number, Drawing>([
  [0, { path: "/scratch/logo.png", x: 0, y: 0 }],
  [1, word("one")],
  [2, word("two")],
]);
const layer = (drawing: number, fromFrame: number, toFrame: number): Layer => ({
  drawing,
  shown: { fromFrame, toFrame, fadeInFrames: 0, fadeOutFrames: 0 },
});

test("drawings in a row become one layer, with an empty picture between and after them", () => {
  const { layers, files } = stackOf([{ drawing: 0, shown: null }, layer(1, 30, 60), layer(2, 90, 91)], drawings, plan);
  const [file] = files;
  expect(layers).toEqual([
    { drawing: drawings.get(0), shown: null },
    { drawing: { path: file!.path, x: 10, y: 20 }, shown: null },
  ]);
  expect(file!.path).toMatch(/^\/scratch\/series-[0-9a-f]{64}\.ffconcat$/);
  const entries = [...file!.text.matchAll(/file '(.*)'\noption framerate 30000\/1001\nduration (.*)\n/g)];
  expect(entries.map(([, name, seconds]) => [name, seconds])).toEqual([
    ["blank.png", "1.001000"],
    ["one.png", "1.001000"],
    ["blank.png", "1.001000"],
    ["two.png", "0.033367"],
    ["blank.png", "0.033367"],
  ]);
});

test("a single drawing stays a separate input, and so do drawings at the same time", () => {
  expect(stackOf([layer(1, 0, 30)], drawings, plan)).toMatchObject({ files: [], layers: [{ drawing: word("one") }] });
  expect(stackOf([layer(1, 0, 30), layer(2, 20, 40)], drawings, plan).files).toEqual([]);
});
