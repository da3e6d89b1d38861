import { expect, test } from "vitest";
import type { SavedSet, SetTable } from "../../api/set-tables.ts";
import { saveSet } from "./set-form.ts";

const known: SavedSet = { id: "1", name: "Known", items: ["a", "b"], created_at: "2026-11-21T00:00:00Z" };
const draft = { name: "Draft", items: ["c"] };

function tableWith(row: SavedSet | null) {
  const written: string[] = [];
  const table: SetTable = {
    list: async () => (row ? [row] : []),
    read: async () => row,
    add: async (added) => {
      written.push("add");
      return { ...known, id: "2", ...added };
    },
    change: async (id, changed) => {
      written.push(`change ${id}`);
      return row && { ...row, ...changed };
    },
    remove: async () => undefined,
  };
  return { table, written };
}

test("adds a new set", async () => {
  const { table, written } = tableWith(null);
  expect(await saveSet(table, null, draft)).toMatchObject({ kind: "created", id: "2", set: draft });
  expect(written).toEqual(["add"]);
});

test("overwrites the version that the operator has seen", async () => {
  const { table, written } = tableWith({ ...known });
  expect(await saveSet(table, known, draft)).toMatchObject({ kind: "updated", id: "1", set: draft });
  expect(written).toEqual(["change 1"]);
});

test.each([
  ["name", { name: "Other" }],
  ["items", { items: ["a", "x"] }],
  ["number of items", { items: ["a", "b", "c"] }],
])("returns a version with another %s and writes nothing", async (_what, changes) => {
  const { table, written } = tableWith({ ...known, ...changes });
  expect(await saveSet(table, known, draft)).toMatchObject({ kind: "changed", set: changes });
  expect(written).toEqual([]);
});

test("returns gone for a deleted set", async () => {
  const { table, written } = tableWith(null);
  expect(await saveSet(table, known, draft)).toEqual({ kind: "gone", id: "1" });
  expect(written).toEqual([]);
});

test("returns gone for a set deleted between read and write", async () => {
  const { table } = tableWith({ ...known });
  expect(await saveSet({ ...table, change: async () => null }, known, draft)).toEqual({ kind: "gone", id: "1" });
});
