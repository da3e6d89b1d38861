/** Sheets share unchanged rows, so history is cheap. */
import type { Sheet } from "./sheet.ts";

const MOST_STEPS = 200;

export type SheetHistory = { past: readonly Sheet[]; present: Sheet; future: readonly Sheet[] };

export function startHistory(sheet: Sheet): SheetHistory {
  return { past: [], present: sheet, future: [] };
}

/** Returns the same history if nothing changed. */
export function addStep(history: SheetHistory, next: Sheet): SheetHistory {
  if (next === history.present) return history;
  return { past: [...history.past.slice(1 - MOST_STEPS), history.present], present: next, future: [] };
}

export function undo(history: SheetHistory): SheetHistory {
  const before = history.past.at(-1);
  if (!before) return history;
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future] };
}

export function redo(history: SheetHistory): SheetHistory {
  const [next, ...future] = history.future;
  if (!next) return history;
  return { past: [...history.past, history.present], present: next, future };
}
