import { expect, test } from "vitest";
import type { SavedSet, SetTable } from "../../api/set-tables.ts";
import { saveSet } from "./save-set.ts";

const known: SavedSet = { id: "1", name: "Known", items: ["a", "b"], created_at: "2026-11-21T00:00:00Z" };
const draft = { name: "Draft", items: ["c"] };

/** A table of one row at most, which remembers what was written to it. */
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

test("adds a set that is new", async () => {
  const { table, written } = tableWith(null);
  expect(await saveSet(table, null, draft)).toMatchObject({ kind: "created", id: "2", set: draft });
  expect(written).toEqual(["add"]);
});

test("writes over the version that the operator knows", async () => {
  const { table, written } = tableWith({ ...known });
  expect(await saveSet(table, known, draft)).toMatchObject({ kind: "updated", id: "1", set: draft });
  expect(written).toEqual(["change 1"]);
});

test.each([
  ["name", { name: "Other" }],
  ["items", { items: ["a", "x"] }],
  ["number of items", { items: ["a", "b", "c"] }],
])("hands back a version with another %s and writes nothing", async (_what, changes) => {
  const { table, written } = tableWith({ ...known, ...changes });
  expect(await saveSet(table, known, draft)).toMatchObject({ kind: "changed", set: changes });
  expect(written).toEqual([]);
});

test("says of a set that is gone that it is gone", async () => {
  const { table, written } = tableWith(null);
  expect(await saveSet(table, known, draft)).toEqual({ kind: "gone", id: "1" });
  expect(written).toEqual([]);
});

test("a set that goes between reading and writing is gone, too", async () => {
  const { table } = tableWith({ ...known });
  expect(await saveSet({ ...table, change: async () => null }, known, draft)).toEqual({ kind: "gone", id: "1" });
});
