import { expect, it } from "vitest";
import { parseWorkerLabels } from "./worker-labels.ts";

it.each([
  ["", []],
  [" GPU ,eu,, gpu", ["eu", "gpu"]],
  ["eu-west.1,big_disk", ["big_disk", "eu-west.1"]],
  ["a,b,c,d,e,f,g,h", ["a", "b", "c", "d", "e", "f", "g", "h"]],
  ["a,b,c,d,e,f,g,h,i", null],
  ["two words", null],
  ["-gpu", null],
  ["x".repeat(31), null],
])("reads %j as %j", (text, labels) => {
  expect(parseWorkerLabels(text)).toEqual(labels);
});
