import type { SavedSet, SetDraft, SetTable } from "../../api/set-tables.ts";

/** `changed`, `gone`: another user was first; nothing was saved. */
export type SavedAs =
  | { kind: "created" | "updated"; id: string; set: SavedSet }
  | { kind: "changed"; id: string; set: SavedSet }
  | { kind: "gone"; id: string };

/**
 * Returns the stored version instead of overwriting it if it differs from `last`, the version the operator has seen.
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

export function isSameVersion(one: SetDraft, other: SetDraft): boolean {
  return (
    one.name === other.name &&
    one.items.length === other.items.length &&
    one.items.every((item, index) => item === other.items[index])
  );
}
