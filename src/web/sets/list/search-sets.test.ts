import { expect, test } from "vitest";
import { previewItems, searchSets } from "./search-sets.ts";

const set = (name: string, items: string[]) => ({ id: name, name, items, created_at: "2026-11-21T00:00:00Z" });
const sets = [set("Morning", ["Wake up", "Coffee"]), set("Evening", ["Tea", "COFFEE again"]), set("Noon", ["Soup"])];
const names = (words: string) => searchSets(sets, words).map(({ name }) => name);

// spec 2.6.1
test("finds sets by name and items, ignoring case", () => {
  expect(names("NOON")).toEqual(["Noon"]);
  expect(names(" coffee ")).toEqual(["Morning", "Evening"]);
  expect(names("cocoa")).toEqual([]);
});

test("an empty search returns the same list", () => {
  expect(searchSets(sets, "  ")).toBe(sets);
});

// spec 2.6.4, 9.18
test("a card shows the first two items", () => {
  expect(previewItems(["a", "b", "c"], "")).toEqual(["a", "b"]);
  expect(previewItems(["a"], "")).toEqual(["a"]);
  expect(previewItems([], "x")).toEqual([]);
});

test("a card shows matching items before the first ones, each once", () => {
  expect(previewItems(["a", "b", "cx"], "X")).toEqual(["cx", "a"]);
  expect(previewItems(["ax", "b", "cx"], "x")).toEqual(["ax", "cx"]);
  expect(previewItems(["a", "bx"], "x")).toEqual(["bx", "a"]);
  expect(previewItems(["same", "same"], "")).toEqual(["same", "same"]);
});
