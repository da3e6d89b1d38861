export type GridAct =
  | { kind: "focus"; by: number | "start" | "end"; isExtending: boolean }
  | { kind: "move"; by: -1 | 1 }
  | { kind: "inside"; by: -1 | 1 }
  | { kind: "toggle" }
  | { kind: "all" }
  | { kind: "clear" }
  | { kind: "remove" };

const PAGE = 8;
const STEPS: Readonly<Record<string, number | "start" | "end">> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -PAGE,
  PageDown: PAGE,
  Home: "start",
  End: "end",
};

type Pressed = Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

/** Returns null for unhandled keys. `isInside`: a row's control has focus and handles its own keys. */
export function readGridKey({ key, altKey, ctrlKey, metaKey, shiftKey }: Pressed, isInside: boolean): GridAct | null {
  const isCommand = ctrlKey || metaKey;
  if (altKey) return key === "ArrowUp" || key === "ArrowDown" ? { kind: "move", by: key === "ArrowUp" ? -1 : 1 } : null;
  if (isCommand) return key.toLowerCase() === "a" ? { kind: "all" } : null;
  const step = STEPS[key];
  if (step !== undefined) return { kind: "focus", by: step, isExtending: shiftKey };
  if (key === "ArrowLeft" || key === "ArrowRight") return { kind: "inside", by: key === "ArrowLeft" ? -1 : 1 };
  if (key === "Escape") return { kind: "clear" };
  if (isInside) return null;
  if (key === " ") return { kind: "toggle" };
  return key === "Delete" || key === "Backspace" ? { kind: "remove" } : null;
}
