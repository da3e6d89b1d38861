import type { FieldError, ResolverResult } from "react-hook-form";
import type { SavedSet, SetDraft } from "../../api/set-tables.ts";
import { findProblems } from "./find-problems.ts";
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
