import { expect, it } from "vitest";
import { placeOf } from "./follow-item.ts";

it.each([
  [["a", "b", "c"], { index: 1, item: "b" }, 1],
  [["b", "a", "c"], { index: 1, item: "b" }, 0],
  [["a", "c"], { index: 1, item: "b" }, 1],
  [["a"], { index: 2, item: "c" }, 0],
  [[], { index: 2, item: "c" }, 0],
  [["a", "a"], { index: 1, item: "a" }, 1],
  [["x", "a"], { index: 0, item: null }, 0],
])("in %j, %j is at %i", (items, shown, place) => {
  expect(placeOf(items, shown)).toBe(place);
});
