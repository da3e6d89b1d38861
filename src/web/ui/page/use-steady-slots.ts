import { useRef, useState, useSyncExternalStore, type RefObject } from "react";
import { moveSlots, type Slots, toSlots } from "./steady-slots.ts";

const POPUPS = "[role=dialog], [role=alertdialog], [role=menu]";

/**
 * Keeps the row under the pointer in place when rows leave a live list: their slots stay empty until the pointer leaves
 * the list. Mark each row's element with `data-slot` and its ID.
 */
export function useSteadySlots<Row extends { id: string }>(
  list: RefObject<HTMLElement | null>,
  items: readonly Row[],
): Slots<Row> {
  const anchorId = useAnchor(list);
  const [slots, setSlots] = useState({ ...toSlots(items), anchorId });
  if (slots.items === items && slots.anchorId === anchorId) return slots;
  const next = { ...moveSlots(slots, items, anchorId), anchorId };
  setSlots(next);
  return next;
}

/** Returns the row under the pointer; while a row's menu or dialog is open, that row. */
function useAnchor(list: RefObject<HTMLElement | null>): string | null {
  const last = useRef<string | null>(null);
  const read = () => {
    // On touch screens, the last row touched would stay hovered.
    const hovered = window.matchMedia("(hover: hover)").matches ? slotIn(list.current, "hover") : null;
    if (hovered === null && document.querySelector(POPUPS)) return last.current;
    last.current = hovered ?? slotIn(list.current, "focus-within");
    return hovered;
  };
  return useSyncExternalStore(watchPointer, read);
}

function slotIn(list: HTMLElement | null, state: "hover" | "focus-within"): string | null {
  return list?.querySelector<HTMLElement>(`[data-slot]:${state}`)?.dataset.slot ?? null;
}

function watchPointer(onChange: () => void): () => void {
  const stop = new AbortController();
  for (const event of ["pointermove", "pointerout", "focusin", "keyup"]) {
    document.addEventListener(event, onChange, { passive: true, signal: stop.signal });
  }
  return () => stop.abort();
}
