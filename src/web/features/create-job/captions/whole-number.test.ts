import { expect, it } from "vitest";
import { wholeNumberOr } from "./whole-number.ts";

// spec 5.6, 5.7, 9.12
it.each(["", "  ", "abc", "0", "-3", "0.9", "4x", "Infinity"])("turns %j into the fallback", (text) => {
  expect(wholeNumberOr(text, 10)).toBe(10);
});

it.each([
  ["4", 4],
  [" 12 ", 12],
  ["3.7", 3],
])("reads %j as %i", (text, number) => {
  expect(wholeNumberOr(text, 1)).toBe(number);
});
