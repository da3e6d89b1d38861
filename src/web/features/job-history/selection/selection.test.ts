import { expect, test } from "vitest";
import { NOTHING_SELECTED, toggle } from "./selection.ts";

const all = ["a", "b", "c", "d", "e"];
const ids = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].toSorted().join("");

test("selects a job and takes it out again", () => {
  const one = toggle(NOTHING_SELECTED, all, "b", false);
  expect(ids(one)).toBe("b");
  expect(ids(toggle(one, all, "b", false))).toBe("");
});

test("a range reaches from the last one touched, upwards and downwards", () => {
  const from = toggle(NOTHING_SELECTED, all, "b", false);
  expect(ids(toggle(from, all, "d", true))).toBe("bcd");
  expect(ids(toggle(from, all, "a", true))).toBe("ab");
});

test("a range beginning at a selected job and ending at another takes all between out", () => {
  let selection = toggle(NOTHING_SELECTED, all, "a", false);
  selection = toggle(selection, all, "e", true);
  selection = toggle(selection, all, "b", false);
  expect(ids(toggle(selection, all, "d", true))).toBe("ae");
});

test("a range from a job that is gone selects the one alone", () => {
  const from = toggle(NOTHING_SELECTED, all, "a", false);
  expect(ids(toggle(from, ["b", "c"], "c", true))).toBe("ac");
});
