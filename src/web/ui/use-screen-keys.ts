import { useEffect, useEffectEvent } from "react";

export type ScreenKeys = Readonly<Record<string, () => void>>;

/** Set on elements that are not ordinary buttons, so that screen keys also work there, even Space and Enter. */
export const takesScreenKeys = { "data-screen-keys": "" } as const;

/** Keys that repeat while held down. */
const REPEATED = new Set([
  "arrowleft",
  "arrowright",
  "arrowup",
  "arrowdown",
  ",",
  ".",
  "ctrl+z",
  "ctrl+shift+z",
  "ctrl+y",
]);
/** App shortcuts start with G. */
const GO = "g";
const GO_MS = 5_000;

/** Returns "a", "shift+r", "ctrl+z" (also with Cmd), " " or "arrowleft", for example. */
function nameOf({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): string {
  const name = key.toLowerCase();
  const shift = shiftKey && /^[a-z]$/.test(name) ? "shift+" : "";
  return `${ctrlKey || metaKey ? "ctrl+" : ""}${shift}${name}`;
}

/** Ignores keys that a field, a control or a dialog needs. */
export function useScreenKeys(keys: ScreenKeys): void {
  const handleKey = useEffectEvent((event: KeyboardEvent, isAfterGo: boolean) => {
    const name = nameOf(event);
    const act = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (!act || isAfterGo || isTaken(event, name)) return;
    event.preventDefault();
    if (!event.repeat || REPEATED.has(name)) act();
  });
  useEffect(() => {
    let goPressedAt = -Infinity;
    function listen(event: KeyboardEvent) {
      const isAfterGo = event.timeStamp - goPressedAt < GO_MS;
      goPressedAt = event.key === GO ? event.timeStamp : -Infinity;
      handleKey(event, isAfterGo);
    }
    // Runs before the app's shortcuts, which listen on the window.
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function isTaken(event: KeyboardEvent, name: string): boolean {
  if (event.defaultPrevented || event.isComposing || event.altKey) return true;
  if (document.querySelector("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]")) return true;
  if (!(event.target instanceof HTMLElement)) return false;
  if (event.target.matches("input[type=range]")) return name.startsWith("arrow");
  if (event.target.matches("input, textarea, select")) return true;
  const pressed = name === " " || name === "enter" ? event.target.closest("button, a, [role=button], summary") : null;
  return pressed !== null && !pressed.hasAttribute("data-screen-keys");
}
