/** Suggests a job's name: preset, date and first file. Pure. */
import { cutText } from "../../../jobs/row/cut-text.ts";

const FILE_CHARACTERS = 60;
const EXTENSION = /\.[A-Za-z0-9]{1,5}$/;

/** Returns "House style 2026-11-22 beach", for example. Preset and file may be unknown. The date is local. */
export function suggestJobName(preset: string | null, date: Date, file: string | null): string {
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) =>
    String(part).padStart(2, "0"),
  );
  const title = file === null ? "" : cutText(file.replace(EXTENSION, "").trim(), FILE_CHARACTERS);
  return [preset ?? "", `${year}-${month}-${day}`, title].filter((part) => part !== "").join(" ");
}

/** `suggested` is the last suggestion; the name is the operator's if it differs. Null changes nothing. */
export function nextName(
  state: { name: string; suggested: string },
  suggestion: string | null,
): { name: string; suggested: string } | null {
  const isOwn = state.name !== state.suggested;
  if (suggestion === null) {
    // Without links the next job begins: an emptied name is suggested again.
    if (state.suggested === "") return null;
    return { name: isOwn ? state.name : "", suggested: "" };
  }
  return isOwn || suggestion === state.suggested ? null : { name: suggestion, suggested: suggestion };
}
