import type { SavedSet, SetDraft, SetTable } from "../../api/set-tables.ts";

/** What came of saving. `changed` and `gone`: nothing was saved, somebody else was there first. */
export type SavedAs =
  | { kind: "created" | "updated"; id: string; set: SavedSet }
  | { kind: "changed"; id: string; set: SavedSet }
  | { kind: "gone"; id: string };

/**
 * Saves a draft as a new set, or over the version `last` that the operator knows of. A version that nobody here has
 * seen yet is not written over: it is handed back instead.
 */
export async function saveSet(table: SetTable, last: SavedSet | null, draft: SetDraft): Promise<SavedAs> {
  if (!last) {
    const set = await table.add(draft);
    return { kind: "created", id: set.id, set };
  }
  const { id } = last;
  const current = await table.read(id);
  if (current && !isSameVersion(current, last)) return { kind: "changed", id, set: current };
  const set = current && (await table.change(id, draft));
  return set ? { kind: "updated", id, set } : { kind: "gone", id };
}

/** True when two readings of a set hold the same. */
export function isSameVersion(one: SetDraft, other: SetDraft): boolean {
  return (
    one.name === other.name &&
    one.items.length === other.items.length &&
    one.items.every((item, index) => item === other.items[index])
  );
}
