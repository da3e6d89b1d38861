/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are grids, and tags laid out so lose their meaning in some browsers */
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { classNames } from "../class-names.ts";
import { Skeleton } from "../states/skeleton.tsx";

export type TableColumn = {
  label: string;
  /** For numeric cells, or to hide the column on small screens. */
  className?: string | undefined;
  isLabelHidden?: boolean | undefined;
};

type TableProps<Item> = {
  /** For screen readers. */
  label: string;
  columns: readonly TableColumn[];
  /** The grid of the header and rows, also when stacked. */
  gridClassName: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** The row whose sheet or dialog is open. */
  activeKey?: string | null | undefined;
  children: (item: Item) => ReactNode;
};

const ROW_PX = 40;
/** Renders short lists (some tens of rows) completely, for the browser's own search. */
const OVERSCAN = 30;

/** Virtualized; the page scrolls. */
export function Table<Item>({ label, columns, gridClassName, items, keyOf, activeKey, children }: TableProps<Item>) {
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (body.current) setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
  }, [items.length]);
  // oxlint-disable-next-line react/incompatible-library -- it re-renders this component itself, which is all that reads it
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (index) => keyOf(items[index]!),
  });
  return (
    <div role="table" aria-label={label} aria-rowcount={items.length + 1}>
      <TableHead columns={columns} gridClassName={gridClassName} />
      <div ref={body} role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((place) => {
          const item = items[place.index]!;
          return (
            <div
              key={place.key}
              ref={virtualizer.measureElement}
              role="row"
              data-index={place.index}
              aria-rowindex={place.index + 2}
              className={classNames(
                ROW,
                "absolute inset-x-0 top-0 transition-colors hover:bg-raised",
                keyOf(item) === activeKey && "bg-raised",
                gridClassName,
              )}
              style={{ transform: `translateY(${place.start - top}px)` }}
            >
              {children(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Accepts `tooltipWhenCut` attributes for truncated cells. */
export function TableCell({
  className,
  children,
  ...tooltip
}: {
  className?: string | undefined;
  children?: ReactNode;
  "data-tooltip"?: string;
  "data-tooltip-when-cut"?: "";
}) {
  return (
    <div {...tooltip} role="cell" className={classNames("min-w-0", className)}>
      {children}
    </div>
  );
}

export function TableSkeleton({
  label,
  columns,
  gridClassName,
}: Pick<TableProps<never>, "label" | "columns" | "gridClassName">) {
  return (
    <div aria-busy aria-label={label} role="table">
      <TableHead columns={columns} gridClassName={gridClassName} />
      <div role="rowgroup">
        {SKELETONS.map(([key, width]) => (
          <div key={key} role="row" className={classNames(ROW, gridClassName)}>
            {columns.map(({ label, className }, index) => (
              <div
                key={label}
                role="cell"
                // On a phone, cells are stacked; two lines are enough for a skeleton.
                className={classNames("min-w-0", index > 1 && "max-desk:hidden", className)}
              >
                {index < columns.length - 1 && <Skeleton className={`h-3 ${width}`} />}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function TableHead({ columns, gridClassName }: Pick<TableProps<never>, "columns" | "gridClassName">) {
  return (
    <div role="rowgroup" className="max-desk:sr-only">
      <div
        role="row"
        className={classNames(
          "grid h-7 items-center gap-x-4 border-b border-line px-6 text-11 font-medium text-ink-3",
          gridClassName,
        )}
      >
        {columns.map(({ label, className, isLabelHidden }) => (
          <div key={label} role="columnheader" className={classNames("min-w-0", className)}>
            <span className={isLabelHidden ? "sr-only" : undefined}>{label}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

const ROW =
  "grid min-h-10 items-center gap-x-4 border-b border-line px-6 max-desk:gap-y-0.5 max-desk:px-4 max-desk:py-2";
const SKELETONS = [
  ["a", "w-3/5"],
  ["b", "w-4/5"],
  ["c", "w-1/2"],
  ["d", "w-3/4"],
  ["e", "w-2/3"],
] as const;
