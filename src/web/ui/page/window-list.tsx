import { defaultRangeExtractor, useWindowVirtualizer, type Range } from "@tanstack/react-virtual";
import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useState,
  type FocusEvent,
  type ReactNode,
  type Ref,
  type RefObject,
} from "react";
import { classNames } from "../class-names.ts";
import { useIsPhone } from "../use-is-phone.ts";

/** Overscan above and below. */
const SPARE_ROWS = 8;

export type ListScroller = {
  /** Scrolls to a row unless it is in view, within the scroll margins of `rowClassName`. */
  show: (index: number, block: "nearest" | "center") => void;
};

/** Virtualized rows or tiles; the page scrolls. */
export function WindowList<Item extends { id: string }>({
  list,
  label,
  items,
  total = items.length,
  rowPx,
  phoneRowPx,
  tilePx,
  holes,
  scroller,
  rowClassName,
  className = "mx-3 mb-3 max-desk:mx-0 max-desk:mb-4",
  children,
}: {
  list: RefObject<HTMLUListElement | null>;
  label: string;
  items: readonly Item[];
  /** Includes items not loaded yet. */
  total?: number;
  /** Estimated heights until measured. */
  rowPx: number;
  phoneRowPx: number;
  /** Least width of a tile, for a grid of tiles that are all equally high; without it, rows. */
  tilePx?: number;
  /** Items whose slots stay empty (`useSteadySlots`). */
  holes?: ReadonlySet<string>;
  scroller?: Ref<ListScroller>;
  rowClassName?: string;
  className?: string;
  children: (item: Item) => ReactNode;
}) {
  const isPhone = useIsPhone();
  const top = useTopOf(list);
  const width = useWidthOf(list);
  const columns = tilePx === undefined ? 1 : Math.max(2, Math.floor(width / tilePx));
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const focused = focusedId === null ? -1 : items.findIndex((item) => item.id === focusedId);
  // oxlint-disable-next-line react/incompatible-library -- no React Compiler here, and rows never receive the virtualizer
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: items.length,
    estimateSize: () => (isPhone ? phoneRowPx : rowPx),
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: SPARE_ROWS,
    lanes: columns,
    scrollMargin: top,
    // Keep the focused row mounted, or it would lose focus.
    rangeExtractor: (range) => withIndex(range, focused),
  });
  useEffect(() => virtualizer.measure(), [virtualizer, isPhone, columns]);
  useImperativeHandle(scroller, () => ({
    show(index, block) {
      const row = list.current?.querySelector(`[data-index="${index}"]`);
      if (!row) virtualizer.scrollToIndex(index, { align: "center" });
      else if (!isInView(row)) row.scrollIntoView({ block });
    },
  }));

  function handleFocus(event: FocusEvent) {
    const row = event.target.closest<HTMLElement>("[data-index]");
    setFocusedId((row && items[Number(row.dataset.index)]?.id) ?? null);
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only watches the focus of what it holds
    <ul
      ref={list}
      aria-label={label}
      tabIndex={-1}
      className={classNames("relative outline-none", className)}
      style={{ height: virtualizer.getTotalSize() }}
      onFocus={handleFocus}
      onBlur={() => setFocusedId(null)}
    >
      {virtualizer.getVirtualItems().map(({ key, index, start, lane }) => {
        const item = items[index];
        return (
          item && (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              data-slot={item.id}
              aria-setsize={total}
              aria-posinset={index + 1}
              className={classNames("absolute", holes?.has(item.id) && "invisible", rowClassName)}
              style={{ top: start - top, left: `${(100 * lane) / columns}%`, width: `${100 / columns}%` }}
            >
              {children(item)}
            </li>
          )
        );
      })}
    </ul>
  );
}

function isInView(row: Element): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(row);
  return (
    top >= Number.parseFloat(scrollMarginTop) && bottom <= window.innerHeight - Number.parseFloat(scrollMarginBottom)
  );
}

function withIndex(range: Range, index: number): number[] {
  const indexes = defaultRangeExtractor(range);
  return index === -1 || index >= range.count || indexes.includes(index)
    ? indexes
    : [...indexes, index].toSorted((a, b) => a - b);
}

function useTopOf(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    function measure() {
      if (element.current) setTop(element.current.getBoundingClientRect().top + window.scrollY);
    }
    measure();
    // Content above the list wraps when the width changes.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}

function useWidthOf(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setWidth(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
