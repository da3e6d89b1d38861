import { expect, test } from "vitest";
import { splitCaptions } from "#contract/sources/links.ts";
import { readSetForm, toSetForm } from "./set-form.ts";

const set = { id: "1", name: "A set", items: ["first\nsecond", "third"], created_at: "2026-11-21T00:00:00Z" };
const kind = { split: splitCaptions };

test("trims the name and reads one item per line", () => {
  const form = { name: "  New ", text: " a \n\n b" };
  expect(readSetForm(form, toSetForm(null), null, kind)).toEqual({ name: "New", items: ["a", "b"] });
});

test("keeps multi-line items while their text is unchanged", () => {
  const initial = toSetForm(set);
  expect(readSetForm({ ...initial, name: "Renamed" }, initial, set, kind).items).toBe(set.items);
  expect(readSetForm({ ...initial, text: `${initial.text}\nfourth` }, initial, set, kind).items).toEqual([
    "first",
    "second",
    "third",
    "fourth",
  ]);
});
