import { nameWithoutExtension } from "#contract/clean-name.ts";
import { cutText } from "../../../jobs/row/cut-text.ts";

const FILE_CHARACTERS = 60;

/** Returns, for example, "House style 2026-11-22 beach". The date is local. */
export function suggestJobName(preset: string | null, date: Date, file: string | null): string {
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) =>
    String(part).padStart(2, "0"),
  );
  const title = file === null ? "" : cutText(nameWithoutExtension(file).trim(), FILE_CHARACTERS);
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
