import { expect, test } from "vitest";
import { testLines } from "../test-lines.ts";
import { nextItems } from "./line-items.ts";

test("unchanged lines keep their item, and a changed one its id", () => {
  const lines = testLines("one", "two", "three", "four");
  const items = nextItems([], lines);
  expect(new Set(items.map(({ id }) => id)).size).toBe(4);
  const [changed, added] = testLines("two", "and a half");
  const next = nextItems(items, [lines[0]!, changed!, added!, lines[2]!, lines[3]!]);
  expect(next[1]!.id).toBe(items[1]!.id);
  expect(next.map((item) => items.indexOf(item))).toEqual([0, -1, -1, 2, 3]);
  expect(new Set(next.map(({ id }) => id)).size).toBe(5);
  expect(nextItems(next, lines.slice(0, 1))).toEqual(items.slice(0, 1));
});
