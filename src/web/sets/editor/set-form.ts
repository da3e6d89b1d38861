import type { FieldError, ResolverResult } from "react-hook-form";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import type { SavedSet, SetDraft, SetTable } from "../../api/set-tables.ts";
import type { SetKind } from "../set-kind.ts";

/** One item per line. */
export type SetForm = { name: string; text: string };

/** Accepts null for a new set. */
export function toSetForm(set: SetDraft | null): SetForm {
  return { name: set?.name ?? "", text: set?.items.join("\n") ?? "" };
}

/** Keeps the items of an unchanged text, as an item may span lines. */
export function readSetForm(
  form: SetForm,
  initial: SetForm,
  set: SavedSet | null,
  { split }: Pick<SetKind, "split">,
): SetDraft {
  return { name: form.name.trim(), items: set && form.text === initial.text ? set.items : split(form.text) };
}

/** Returns react-hook-form errors; `required` marks an empty field. */
export function checkSetForm(form: SetForm, draft: SetDraft, kind: SetKind): ResolverResult<SetForm> {
  const { name, items } = findProblems(draft, kind);
  if (!name && !items) return { values: form, errors: {} };
  const toError = ({ sentence, isEmpty }: NonNullable<typeof name>): FieldError => ({
    type: isEmpty ? "required" : "validate",
    message: sentence,
  });
  return { values: {}, errors: { ...(name && { name: toError(name) }), ...(items && { text: toError(items) }) } };
}

type SetProblems = Partial<Record<"name" | "items", { sentence: string; isEmpty: boolean }>>;

/** Applies the rules of `contract/sets.ts`, without zod. */
export function findProblems(
  { name, items }: SetDraft,
  { limits, texts }: Pick<SetKind, "limits" | "texts">,
): SetProblems {
  const tooLong = items.findIndex((item) => item.length > limits.characters);
  return {
    ...(name === "" && { name: { sentence: texts.nameNeeded, isEmpty: true } }),
    ...(name.length > JOB_LIMITS.nameCharacters && { name: { sentence: texts.nameTooLong, isEmpty: false } }),
    ...(items.length === 0 && { items: { sentence: texts.itemsNeeded, isEmpty: true } }),
    ...(tooLong >= 0 && { items: { sentence: texts.tooLong(tooLong + 1), isEmpty: false } }),
    ...(items.length > limits.items && { items: { sentence: texts.tooMany, isEmpty: false } }),
  };
}

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
