import { expect, test } from "vitest";
import { NOTHING_SELECTED, toggle } from "./selection.ts";

const all = ["a", "b", "c", "d", "e"];
const ids = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].toSorted().join("");

test("selects and deselects an item", () => {
  const one = toggle(NOTHING_SELECTED, all, "b", false);
  expect(ids(one)).toBe("b");
  expect(ids(toggle(one, all, "b", false))).toBe("");
});

test("a range starts at the last toggled job, upward or downward", () => {
  const from = toggle(NOTHING_SELECTED, all, "b", false);
  expect(ids(toggle(from, all, "d", true))).toBe("bcd");
  expect(ids(toggle(from, all, "a", true))).toBe("ab");
});

test("a range from one selected item to another deselects all between", () => {
  let selection = toggle(NOTHING_SELECTED, all, "a", false);
  selection = toggle(selection, all, "e", true);
  selection = toggle(selection, all, "b", false);
  expect(ids(toggle(selection, all, "d", true))).toBe("ae");
});

test("a range from a deleted item selects a single one", () => {
  const from = toggle(NOTHING_SELECTED, all, "a", false);
  expect(ids(toggle(from, ["b", "c"], "c", true))).toBe("ac");
});
