import { expect, test } from "vitest";
import { contrastOf, contrastOnBox, opacityOf, readColor, rgbOf, withOpacity } from "./colors.ts";

test.each([
  ["#FFCC00", "#ffcc00"],
  [" fc0 ", "#ffcc00"],
  ["#fc08", "#ffcc0088"],
  ["#ffcc0080", "#ffcc0080"],
  ["#ffcc0", null],
  ["red", null],
  ["", null],
])("the typed color %j is read as %j", (typed, color) => {
  expect(readColor(typed)).toBe(color);
});

test("an opacity is the last of four channels, and absent it is 1", () => {
  expect(withOpacity("#ffcc00", 0.5)).toBe("#ffcc0080");
  expect(withOpacity("#ffcc0080", 0)).toBe("#ffcc0000");
  expect([opacityOf("#ffcc00"), opacityOf("#ffcc0080")]).toEqual([1, 128 / 255]);
});

test("contrast is that of WCAG", () => {
  expect(contrastOf(rgbOf("#000000"), rgbOf("#ffffff"))).toBeCloseTo(21);
  expect(contrastOf(rgbOf("#777777"), rgbOf("#ffffff"))).toBeCloseTo(4.48, 2);
  expect(contrastOnBox("#ffffff", "#777777")).toBeCloseTo(4.48, 2);
});

test("a translucent box counts over the footage on which letters are least legible", () => {
  expect(contrastOnBox("#ffffff", "#0e0d0cdb")).toBeGreaterThan(10);
  expect(contrastOnBox("#ffffff", "#00000000")).toBeCloseTo(1);
  expect(contrastOnBox("#000000", "#ffffff80")).toBeCloseTo(5.32, 1);
});
