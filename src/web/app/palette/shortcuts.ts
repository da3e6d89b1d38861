import { paths } from "../routing/paths.ts";

/** Prefix of the `GO_TO` keys. */
export const GO = "g";
export const GO_TO = [
  { key: "d", label: "Dashboard", to: paths.dashboard },
  { key: "c", label: "Create Jobs", to: paths.createJob },
  { key: "h", label: "Job History", to: paths.jobHistory },
  { key: "t", label: "Caption Sets", to: paths.captionSets },
  { key: "a", label: "Audio Sets", to: paths.audioSets },
  { key: "p", label: "Presets", to: paths.presets },
  { key: "b", label: "Library", to: paths.library },
  { key: "w", label: "Watch Folders", to: paths.watchFolders },
  { key: "l", label: "Caption Lab", to: paths.captionLab },
  { key: "m", label: "Cloak Manager", to: paths.cloakManager },
  { key: "s", label: "Settings", to: paths.settings },
] as const;

/** Marked by `data-review`, where the screen has one. */
const REVIEW_LINK = "#screen a[data-review]";

const ROW = "#screen :is(li, tr, article)";
/** Elements that act on a row, without what opens it or selects it. */
const ROW_ACTIONS = ["button[aria-haspopup=menu]", "button:not([aria-haspopup]), a[download]"];

export type ShortcutAction =
  | "palette"
  | "help"
  | "search"
  | { click: HTMLElement }
  | { focus: HTMLElement }
  | { to: (typeof GO_TO)[number]["to"] };

const TOGETHER_MS = 5_000;

export const PALETTE_KEYS = /Mac|iP(hone|ad)/.test(navigator.platform) ? "Cmd K" : "Ctrl K";

/** Returns a function that stops. Ignores keys in dialogs and fields, except the palette's shortcut in fields. */
export function listenForShortcuts(onAct: (act: ShortcutAction) => void): () => void {
  let goPressedAt = -Infinity;
  function handleKey(event: KeyboardEvent) {
    if (event.defaultPrevented || event.isComposing) return;
    const act = readKey(event);
    if (act === null) return;
    event.preventDefault();
    onAct(act);
  }
  function readKey(event: KeyboardEvent): ShortcutAction | null {
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
    if (event.key === ".") return findRowActions(document.activeElement);
    const review = event.key === "r" ? document.querySelector<HTMLElement>(REVIEW_LINK) : null;
    if (review) return { click: review };
    return event.key === "/" ? "search" : null;
  }
  window.addEventListener("keydown", handleKey);
  return () => window.removeEventListener("keydown", handleKey);
}

/** Returns the menu of the row with the focus, or its first action. */
function findRowActions(focused: Element | null): ShortcutAction | null {
  const row = focused?.closest(ROW);
  const [menu, action] = ROW_ACTIONS.map((actions) => row?.querySelector<HTMLElement>(actions));
  if (menu) return { click: menu };
  return action ? { focus: action } : null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

/** One that is fading out takes no keys. */
function isDialogOpen(): boolean {
  return document.querySelector(":is([role=dialog], [role=alertdialog]):not([data-closed])") !== null;
}
