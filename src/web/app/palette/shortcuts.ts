/** The keys that work everywhere behind the sign-in: what they are, and how they are heard. */
import { paths } from "../routing/paths.ts";

/** A first key, then one of these, leads to a screen. */
export const GO = "g";
export const GO_TO = [
  { key: "d", label: "Dashboard", to: paths.dashboard },
  { key: "c", label: "Create Jobs", to: paths.createJob },
  { key: "h", label: "Job History", to: paths.jobHistory },
  { key: "t", label: "Caption Sets", to: paths.captionSets },
  { key: "a", label: "Audio Sets", to: paths.audioSets },
  { key: "l", label: "Caption Lab", to: paths.captionLab },
  { key: "m", label: "Cloak Manager", to: paths.cloakManager },
  { key: "s", label: "Settings", to: paths.settings },
] as const;

export type ShortcutAct = "palette" | "help" | "search" | { to: (typeof GO_TO)[number]["to"] };

const TOGETHER_MS = 5_000;

/** The name of the key that opens the palette on this machine. */
export const PALETTE_KEYS = /Mac|iP(hone|ad)/.test(navigator.platform) ? "Cmd K" : "Ctrl K";

/**
 * Listens for the keys until the returned function is called. Keys typed into a field, or while a dialog is open, are not
 * shortcuts; only the palette's opens from a field too.
 */
export function listenForShortcuts(act: (what: ShortcutAct) => void): () => void {
  let goPressedAt = -Infinity;
  function handleKey(event: KeyboardEvent) {
    if (event.defaultPrevented || event.isComposing) return;
    const what = readKey(event);
    if (what === null) return;
    event.preventDefault();
    act(what);
  }
  function readKey(event: KeyboardEvent): ShortcutAct | null {
    const hasModifier = event.metaKey || event.ctrlKey || event.altKey;
    if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey)
      return isDialogOpen() ? null : "palette";
    if (hasModifier || event.repeat || isTyping(event.target) || isDialogOpen()) return null;
    const isSecond = event.timeStamp - goPressedAt < TOGETHER_MS;
    goPressedAt = event.key === GO ? event.timeStamp : -Infinity;
    if (isSecond) {
      const found = GO_TO.find(({ key }) => key === event.key);
      return found ? { to: found.to } : null;
    }
    if (event.key === "?") return "help";
    return event.key === "/" ? "search" : null;
  }
  window.addEventListener("keydown", handleKey);
  return () => window.removeEventListener("keydown", handleKey);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

function isDialogOpen(): boolean {
  return document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}
