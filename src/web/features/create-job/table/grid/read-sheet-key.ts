/** Cells to move, or a page, or to an end. */
export type Step = { rows: number | "page-up" | "page-down" | "start" | "end"; columns: number | "start" | "end" };

export type SheetAct =
  | { kind: "move"; step: Step; isExtending: boolean }
  /** `keepsText`: false if typing replaces the cell's text. */
  | { kind: "edit"; keepsText: boolean }
  | { kind: "clear" }
  | { kind: "all" }
  | { kind: "undo" }
  | { kind: "redo" }
  | { kind: "collapse" };

type Pressed = Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: { rows: -1, columns: 0 },
  ArrowDown: { rows: 1, columns: 0 },
  ArrowLeft: { rows: 0, columns: -1 },
  ArrowRight: { rows: 0, columns: 1 },
  PageUp: { rows: "page-up", columns: 0 },
  PageDown: { rows: "page-down", columns: 0 },
  Home: { rows: 0, columns: "start" },
  End: { rows: 0, columns: "end" },
};

const FAR_STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: { rows: "start", columns: 0 },
  ArrowDown: { rows: "end", columns: 0 },
  ArrowLeft: { rows: 0, columns: "start" },
  ArrowRight: { rows: 0, columns: "end" },
  Home: { rows: "start", columns: "start" },
  End: { rows: "end", columns: "end" },
};

/** Returns null for keys left to the browser: Tab, copy, paste and its own shortcuts. */
export function readSheetKey(pressed: Pressed): SheetAct | null {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = pressed;
  if (altKey && !ctrlKey) return null;
  if (ctrlKey || metaKey) return readCommand(pressed);
  const step = STEPS[key];
  if (step) return { kind: "move", step, isExtending: shiftKey };
  if (key === "Enter" || key === "F2") return { kind: "edit", keepsText: true };
  if (key === "Delete" || key === "Backspace") return { kind: "clear" };
  if (key === "Escape") return { kind: "collapse" };
  // Input methods report Process or Dead until a character is composed.
  return isLetter(key) || key === "Process" || key === "Dead" ? { kind: "edit", keepsText: false } : null;
}

function readCommand({ key, altKey, shiftKey }: Pressed): SheetAct | null {
  const step = FAR_STEPS[key];
  if (step) return { kind: "move", step, isExtending: shiftKey };
  // AltGr reports Ctrl and Alt, and types characters on many layouts.
  if (altKey) return isLetter(key) ? { kind: "edit", keepsText: false } : null;
  const letter = key.toLowerCase();
  if (letter === "a") return { kind: "all" };
  if (letter === "z") return { kind: shiftKey ? "redo" : "undo" };
  return letter === "y" ? { kind: "redo" } : null;
}

/** Named keys are longer; a character outside the basic plane has two code units. */
function isLetter(key: string): boolean {
  return key.length === 1 || (key.length === 2 && key.codePointAt(0)! > 0xff_ff);
}
