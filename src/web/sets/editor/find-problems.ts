import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import type { SetDraft } from "../../api/set-tables.ts";
import type { SetKind } from "../set-kind.ts";

export type SetProblems = Partial<Record<"name" | "items", { sentence: string; isEmpty: boolean }>>;

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
