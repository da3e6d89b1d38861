import { defaultRangeExtractor, useWindowVirtualizer, type Range } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useState, type FocusEvent, type RefObject } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { JobRowSkeleton } from "../../../jobs/row/job-row-skeleton.tsx";
import { useCancellingIds } from "../../../jobs/actions/use-cancel-job.ts";
import { useIsPhone } from "../../../ui/use-is-phone.ts";
import { HistoryRow, historyColumns } from "./history-row.tsx";

const SKELETONS = ["a", "b", "c", "d", "e"];

/** Typical card heights until measured. */
const ROW_PX = 61;
const PHONE_ROW_PX = 97;
/** Cards rendered above and below the visible ones. */
const SPARE_ROWS = 8;

/** Renders only the cards near the screen. */
export function HistoryList({
  list,
  jobs,
  total,
  selectedIds,
  onToggle,
}: {
  list: RefObject<HTMLUListElement | null>;
  jobs: readonly Job[];
  total: number;
  selectedIds: ReadonlySet<string>;
  onToggle: (id: string, isRange: boolean) => void;
}) {
  const cancelling = useCancellingIds();
  const isPhone = useIsPhone();
  const top = useTopOf(list);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const focused = focusedId === null ? -1 : jobs.findIndex((job) => job.id === focusedId);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is compiled; the cards get nothing of the virtualizer
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: jobs.length,
    estimateSize: () => (isPhone ? PHONE_ROW_PX : ROW_PX),
    getItemKey: (index) => jobs[index]?.id ?? index,
    overscan: SPARE_ROWS,
    scrollMargin: top,
    // Keeps the focused card mounted, or it would lose the focus.
    rangeExtractor: (range) => withIndex(range, focused),
  });
  useEffect(() => virtualizer.measure(), [virtualizer, isPhone]);

  function handleFocus(event: FocusEvent) {
    const row = event.target.closest<HTMLElement>("[data-index]");
    setFocusedId((row && jobs[Number(row.dataset.index)]?.id) ?? null);
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only watches the focus of what it holds
    <ul
      ref={list}
      aria-label="Jobs"
      tabIndex={-1}
      className="relative mx-3 mb-3 outline-none max-desk:mx-0 max-desk:mb-4"
      style={{ height: virtualizer.getTotalSize() }}
      onFocus={handleFocus}
      onBlur={() => setFocusedId(null)}
    >
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const job = jobs[index];
        return (
          job && (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={total}
              aria-posinset={index + 1}
              className="absolute inset-x-0"
              style={{ top: start - top }}
            >
              <HistoryRow
                job={job}
                isCancelling={cancelling.has(job.id)}
                isSelected={selectedIds.has(job.id)}
                isSelecting={selectedIds.size > 0}
                onToggle={onToggle}
              />
            </li>
          )
        );
      })}
    </ul>
  );
}

function withIndex(range: Range, index: number): number[] {
  const indexes = defaultRangeExtractor(range);
  return index === -1 || index >= range.count || indexes.includes(index)
    ? indexes
    : [...indexes, index].toSorted((a, b) => a - b);
}

/** Returns the distance from the top of the page in pixels. */
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

export function HistorySkeleton() {
  return (
    <ul aria-busy aria-label="Loading jobs" className="px-3 pb-3 max-desk:px-0 max-desk:pb-4">
      {SKELETONS.map((key) => (
        <JobRowSkeleton key={key} className={historyColumns} hasCheck hasElapsed />
      ))}
    </ul>
  );
}
