import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { useIsPhone } from "../../../../ui/use-is-phone.ts";
import type { CellSelection } from "./use-selection-of-cells.ts";

const SIZES = { headPx: 64, rowPx: 33 };
const PHONE_SIZES = { headPx: 76, rowPx: 44 };
const SPARE_ROWS = 8;
const SPARE_COLUMNS = 2;

/** Width of the row number column. */
export const NUMBERS_PX = 64;

/** Renders cells near the viewport, and the active cell, which must keep focus. */
export function useSheetVirtualizer(rows: number, widths: readonly number[], selection: CellSelection) {
  const scroller = useRef<HTMLDivElement>(null);
  const { headPx, rowPx } = useIsPhone() ? PHONE_SIZES : SIZES;
  const { active, focusRequest } = selection;
  // oxlint-disable-next-line react/incompatible-library -- no React Compiler here, and rows never receive the virtualizer
  const rowVirtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: SPARE_ROWS,
    paddingStart: headPx,
    scrollPaddingStart: headPx,
    rangeExtractor: useCallback((range: Range) => withIndex(range, active.row), [active.row]),
  });
  // oxlint-disable-next-line react/incompatible-library -- as above
  const columnVirtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: widths.length,
    horizontal: true,
    getScrollElement: () => scroller.current,
    estimateSize: (column) => widths[column] ?? 0,
    overscan: SPARE_COLUMNS,
    paddingStart: NUMBERS_PX,
    scrollPaddingStart: NUMBERS_PX,
    rangeExtractor: useCallback((range: Range) => withIndex(range, active.column), [active.column]),
  });
  useEffect(() => rowVirtualizer.measure(), [rowVirtualizer, rowPx]);
  useEffect(() => columnVirtualizer.measure(), [columnVirtualizer, widths]);
  useLayoutEffect(() => {
    if (focusRequest === 0) return;
    rowVirtualizer.scrollToIndex(active.row, { align: "auto" });
    columnVirtualizer.scrollToIndex(active.column, { align: "auto" });
    cellAt(scroller.current, active.row, active.column)?.focus({ preventScroll: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per request, at the place of that render
  }, [focusRequest]);
  const rowItems = rowVirtualizer.getVirtualItems();
  const hasCells = rowItems.length > 0 && columnVirtualizer.getVirtualItems().length > 0;
  const isOpening = useRef(true);
  useEffect(() => {
    if (!hasCells || !isOpening.current) return;
    isOpening.current = false;
    // The sheet replaces the field that a table was pasted into.
    cellAt(scroller.current, active.row, active.column)?.focus({ preventScroll: true });
  }, [hasCells, active]);
  return {
    scroller,
    rows: rowItems,
    columns: columnVirtualizer.getVirtualItems() as readonly VirtualItem[],
    heightPx: rowVirtualizer.getTotalSize(),
    widthPx: columnVirtualizer.getTotalSize(),
    headPx,
    rowPx,
  };
}

function cellAt(scroller: HTMLElement | null, row: number, column: number): HTMLElement | null {
  return scroller?.querySelector<HTMLElement>(`[data-row="${row}"] [data-column="${column}"]`) ?? null;
}

function withIndex(range: Range, index: number): number[] {
  const indexes = defaultRangeExtractor(range);
  return index >= range.count || indexes.includes(index) ? indexes : [...indexes, index].toSorted((a, b) => a - b);
}
