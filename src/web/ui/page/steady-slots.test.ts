import { expect, test } from "vitest";
import { moveSlots, toSlots } from "./steady-slots.ts";

const items = (ids: string) => Array.from(ids, (id) => ({ id }));
const shown = ({ rows, holes }: ReturnType<typeof toSlots>) =>
  rows.map(({ id }) => (holes.has(id) ? "_" : id)).join("");

test("rows above the pointer leave holes, and rows below close up", () => {
  const slots = moveSlots(toSlots(items("abcdef")), items("bdf"), "d");
  expect(shown(slots)).toBe("_b_df");
});

test("a row that joins above takes the place of a hole", () => {
  const slots = moveSlots(toSlots(items("abc")), items("bc"), "b");
  expect(shown(slots)).toBe("_bc");
  expect(shown(moveSlots(slots, items("xbc"), "b"))).toBe("xbc");
});

test("the row under the pointer may leave, too", () => {
  expect(shown(moveSlots(toSlots(items("abc")), items("ac"), "b"))).toBe("a_c");
});

test("without the pointer there are no holes", () => {
  const slots = moveSlots(toSlots(items("abc")), items("bc"), "c");
  expect(shown(moveSlots(slots, items("bc"), null))).toBe("bc");
});
