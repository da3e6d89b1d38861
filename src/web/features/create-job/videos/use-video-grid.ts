import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState, type FocusEvent } from "react";
import type { VideoRow } from "./read-rows.ts";

/** Estimate until measured. */
const ROW_PX = 49;
/** Overscan above and below. */
const SPARE_ROWS = 6;

/** `request`: index of the row to focus on the next render. */
type Active = { key: string | null; request: number | null };

/** Virtualizes the rows and keeps one as the tab stop: the focused or the previewed one. */
export function useVideoGrid(rows: readonly VideoRow[], shownIndex: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const [{ key, request }, setActive] = useState<Active>({ key: null, request: null });
  const focused = key === null ? -1 : rows.findIndex((row) => row.key === key);
  const wanted = request ?? (focused === -1 ? Math.max(0, shownIndex) : focused);
  const active = Math.min(wanted, rows.length - 1);
  // oxlint-disable-next-line react/incompatible-library -- no React Compiler here, and rows never receive the virtualizer
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: SPARE_ROWS,
    // Keep the tab stop mounted, or it would lose focus.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), active])].filter((index) => index >= 0).toSorted((a, b) => a - b),
  });
  useLayoutEffect(() => {
    if (request === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${active}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }, [request, active, rows]);
  useEffect(() => {
    if (shownIndex > 0) virtualizer.scrollToIndex(shownIndex, { align: "auto" });
  }, [shownIndex, virtualizer]);

  /** Returns false for requested focus. */
  function handleFocus({ target }: FocusEvent): boolean {
    const row = target.closest<HTMLElement>("[data-index]");
    setActive({ key: (row && rows[Number(row.dataset.index)]?.key) ?? null, request: null });
    return request === null;
  }
  /** Focuses a row, or the last one, after the next render. */
  const focusRow = (index: number) => setActive({ key: null, request: Math.max(0, index) });
  const handleBlur = () => setActive((current) => (current.request === null ? { key: null, request: null } : current));
  return { scroller, virtualizer, active, focusRow, handleFocus, handleBlur };
}

export function focusInside(row: HTMLElement, by: -1 | 1): void {
  const stops = [row, ...row.querySelectorAll<HTMLElement>("button, input")];
  const next = stops.indexOf(document.activeElement as HTMLElement) + by;
  stops[Math.min(Math.max(next, 0), stops.length - 1)]?.focus();
}
