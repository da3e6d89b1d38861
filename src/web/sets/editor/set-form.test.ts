import { expect, test } from "vitest";
import { splitCaptions } from "#contract/sources/links.ts";
import { readSetForm, toSetForm } from "./set-form.ts";

const set = { id: "1", name: "A set", items: ["first\nsecond", "third"], created_at: "2026-11-21T00:00:00Z" };
const kind = { split: splitCaptions };

test("reads a name without its outer spaces and an item per line", () => {
  const form = { name: "  New ", text: " a \n\n b" };
  expect(readSetForm(form, toSetForm(null), null, kind)).toEqual({ name: "New", items: ["a", "b"] });
});

test("leaves items of several lines whole while their text is not touched", () => {
  const initial = toSetForm(set);
  expect(readSetForm({ ...initial, name: "Renamed" }, initial, set, kind).items).toBe(set.items);
  expect(readSetForm({ ...initial, text: `${initial.text}\nfourth` }, initial, set, kind).items).toEqual([
    "first",
    "second",
    "third",
    "fourth",
  ]);
});
