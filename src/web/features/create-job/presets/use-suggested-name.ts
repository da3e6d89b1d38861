import { type FocusEvent, type MouseEvent, useEffect, useEffectEvent, useRef } from "react";
import type { UseFormReturn } from "react-hook-form";
import { nameWithoutExtension } from "#contract/clean-name.ts";
import { cutText } from "../../../jobs/row/cut-text.ts";
import type { JobForm } from "../draft/job-form.ts";
import type { VideoRow } from "../videos/read-rows.ts";

export type SuggestedNameField = {
  onFocus: (event: FocusEvent<HTMLInputElement>) => void;
  onMouseUp: (event: MouseEvent<HTMLInputElement>) => void;
};

/**
 * Suggests a job name once there is a valid link, until the operator types or clears one. In a focused field, the
 * suggestion is selected, so that typing replaces it.
 */
export function useSuggestedName(
  { getValues, setValue }: UseFormReturn<JobForm>,
  { rows, preset }: { rows: readonly VideoRow[]; preset: string | null },
): SuggestedNameField {
  const suggested = useRef("");
  const hasNewFocus = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  const first = rows.find(({ video }) => video === 0);
  const hasLinks = first !== undefined;
  // A link itself is not a name.
  const file = first?.state === "ready" ? first.name : null;
  const others = rows.findLast(({ video }) => video !== null)?.video ?? 0;
  const suggest = useEffectEvent((parts: { preset: string | null; file: string | null; others: number } | null) => {
    const suggestion = parts && suggestJobName(parts.preset, new Date(), parts.file, parts.others);
    const next = nextName({ name: getValues("jobName"), suggested: suggested.current }, suggestion);
    if (!next) return;
    suggested.current = next.suggested;
    if (next.name === getValues("jobName")) return;
    const wasSelected = isWhollySelected(field.current);
    setValue("jobName", next.name, { shouldDirty: true });
    // A new value clears the selection.
    if (wasSelected) field.current?.select();
  });
  useEffect(() => suggest(hasLinks ? { preset, file, others } : null), [hasLinks, file, others, preset]);

  function selectSuggestion(input: HTMLInputElement) {
    if (suggested.current !== "" && input.value === suggested.current) input.select();
  }
  return {
    onFocus: (event) => {
      hasNewFocus.current = true;
      field.current = event.currentTarget;
      selectSuggestion(event.currentTarget);
    },
    // The press that focuses the field also places the caret. Later presses may edit the suggestion.
    onMouseUp: (event) => {
      const { selectionStart, selectionEnd } = event.currentTarget;
      if (hasNewFocus.current && selectionStart === selectionEnd) selectSuggestion(event.currentTarget);
      hasNewFocus.current = false;
    },
  };
}

/** An empty field counts. */
function isWhollySelected(input: HTMLInputElement | null): boolean {
  if (!input || document.activeElement !== input) return false;
  return input.selectionStart === 0 && input.selectionEnd === input.value.length;
}

const FILE_CHARACTERS = 60;

/** Returns, for example, "House style 2026-11-22 beach + 3", with the number of `others`. The date is local. */
export function suggestJobName(preset: string | null, date: Date, file: string | null, others: number): string {
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) =>
    String(part).padStart(2, "0"),
  );
  const first = file === null ? "" : cutText(nameWithoutExtension(file).trim(), FILE_CHARACTERS);
  // Jobs of a day often start with the same video.
  const title = first !== "" && others > 0 ? `${first} + ${others}` : first;
  return [preset ?? "", `${year}-${month}-${day}`, title].filter((part) => part !== "").join(" ");
}

/** A name other than `suggested`, the last suggestion, is the operator's. Returns null for no change. */
export function nextName(
  state: { name: string; suggested: string },
  suggestion: string | null,
): { name: string; suggested: string } | null {
  const isOwn = state.name !== state.suggested;
  if (suggestion === null) {
    // Without links, the next job starts: suggest a name again even if it was cleared.
    if (state.suggested === "") return null;
    return { name: isOwn ? state.name : "", suggested: "" };
  }
  return isOwn || suggestion === state.suggested ? null : { name: suggestion, suggested: suggestion };
}
