import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  moveBefore,
  moveByOne,
  removeEntries,
  reorderEntries,
  replaceEntry,
  toEntries,
  toText,
} from "./edit-entries.ts";

const keys = (...names: string[]) => new Set(names);
const order = ["a", "b", "c", "d", "e"];

it("keeps invalid lines in their places while links are reordered", () => {
  const entries = toEntries(["a", "nonsense", "b", "c"]);
  expect(toText(reorderEntries(entries, ["1 c", "1 a", "1 b"]))).toBe("c\nnonsense\na\nb");
});

it("removes one of two equal links", () => {
  const entries = toEntries(["a", "b", "a"]);
  expect(toText(removeEntries(entries, keys("2 a")))).toBe("a\nb");
});

it("replaces a folder by its files", () => {
  const entries = toEntries(["a", "folder", "b"]);
  expect(toText(replaceEntry(entries, "1 folder", ["x", "y"]))).toBe("a\nx\ny\nb");
  expect(toText(replaceEntry(entries, "1 gone", ["x"]))).toBe("a\nfolder\nb");
});

it.each([
  [["d"], "b", "adbce"],
  [["a", "c"], "e", "bdace"],
  [["b"], null, "acdeb"],
  [["b", "d"], "b", "abdce"],
  [["b", "c"], "c", "abcde"],
])("moves %j before %s", (moved, before, moves) => {
  expect(moveBefore(order, keys(...moved), before).join("")).toBe(moves);
});

it.each([
  [["c"], -1, "acbde"],
  [["a", "b"], -1, "abcde"],
  [["b", "d"], -1, "badce"],
  [["c"], 1, "abdce"],
  [["b", "c"], 1, "adbce"],
  [["e"], 1, "abcde"],
] as const)("moves %j by %i", (moved, by, moves) => {
  expect(moveByOne(order, keys(...moved), by).join("")).toBe(moves);
});

it("loses no line in any edit", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "x", "y"), { maxLength: 12 });
  fc.assert(
    fc.property(lines, fc.array(fc.nat(11)), fc.nat(12), (links, picked, to) => {
      const entries = toEntries(links);
      const all = entries.map(({ key }) => key);
      const moved = new Set(picked.flatMap((index) => all[index] ?? []));
      for (const next of [moveBefore(all, moved, all[to] ?? null), moveByOne(all, moved, 1)]) {
        expect(toText(reorderEntries(entries, next)).split("\n").toSorted()).toEqual(
          links.length ? links.toSorted() : [""],
        );
      }
    }),
  );
});
