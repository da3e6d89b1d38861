import { CloudOff } from "lucide-react";
import { useEffect, useId, useMemo, useRef, useState, type FocusEvent, type KeyboardEvent } from "react";
import { Button } from "../../../ui/buttons/button.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import type { VideoEdits } from "./create-video-edits.ts";
import { describeMove, describeStates } from "./describe-rows.ts";
import { moveBefore, moveByOne } from "./edit-entries.ts";
import { readGridKey } from "./grid-keys.ts";
import { ListHead } from "./list-head.tsx";
import { MOST_CHECKED, type VideoRow } from "./read-rows.ts";
import { formatCount } from "../../../jobs/row/pluralize.ts";
import { useRowDrag } from "./use-row-drag.ts";
import { useRowSelection } from "./use-row-selection.ts";
import { focusInside, useVideoGrid } from "./use-video-grid.ts";
import type { VideoRows } from "./use-video-rows.ts";
import { VideoRowView, type RowActions } from "./video-row.tsx";

export type VideoListProps = {
  videos: VideoRows;
  edits: VideoEdits;
  /** Index of the video in the preview. */
  shownVideo: number;
  onShow: (video: number) => void;
  /** Called after the last row was removed. */
  onEmptied: () => void;
};

export default function VideoList({ videos, edits, shownVideo, onShow, onEmptied }: VideoListProps) {
  const { rows, state, recheck, addListed, retry } = videos;
  const helpId = useId();
  const shownIndex = rows.findIndex(({ video }) => video === shownVideo);
  const selection = useRowSelection(rows);
  const [message, announce] = useState("");
  const grid = useVideoGrid(rows, shownIndex);
  const { virtualizer, active, focusRow } = grid;
  const { drag, startDrag } = useRowDrag(grid.scroller, placeAt, (key, to) =>
    reorder(moveBefore(keys(), movedWith(key), rows[to]?.key ?? null), movedWith(key)),
  );
  const { toggleRow } = selection;
  const latestRemove = useRef(remove);
  useEffect(() => {
    latestRemove.current = remove;
  });
  const rowActions = useMemo<RowActions>(
    () => ({
      toggle: toggleRow,
      startDrag,
      remove: (row, index) => latestRemove.current([row], index),
      recheck: (row) => recheck([row.link]),
      expand: (row) => {
        addListed(row.files ?? []);
        edits.expand(row);
      },
    }),
    [toggleRow, startDrag, edits, recheck, addListed],
  );

  const keys = () => rows.map(({ key }) => key);
  function movedWith(key: string): ReadonlySet<string> {
    return selection.ids.has(key) ? selection.ids : new Set([key]);
  }
  function placeAt(offset: number) {
    const item = virtualizer.getVirtualItemForOffset(offset);
    if (!item) return null;
    const isBelow = offset > item.start + item.size / 2;
    return { to: item.index + Number(isBelow), line: isBelow ? item.end : item.start };
  }
  function reorder(order: readonly string[], moved: ReadonlySet<string>): number {
    const byKey = new Map(rows.map((row) => [row.key, row]));
    const next = order.flatMap((key) => byKey.get(key) ?? []);
    edits.reorder(order);
    const movedRows = next.filter(({ key }) => moved.has(key));
    announce(describeMove(movedRows, next));
    return next.findIndex(({ key }) => key === movedRows[0]?.key);
  }
  function remove(removed: readonly VideoRow[], index: number) {
    edits.remove(removed);
    selection.deselect(removed);
    if (removed.length < rows.length) focusRow(index);
    else onEmptied();
  }

  function handleKeyDown(event: KeyboardEvent) {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-index]") : null;
    const index = Number(element?.dataset.index);
    const row = rows[index];
    const act = readGridKey(event, event.target !== element);
    if (!element || !row || !act) return;
    event.preventDefault();
    switch (act.kind) {
      case "focus": {
        const to = act.by === "start" ? 0 : act.by === "end" ? rows.length - 1 : index + act.by;
        const next = Math.min(Math.max(to, 0), rows.length - 1);
        const [from, until] = [Math.min(index, next), Math.max(index, next)];
        if (act.isExtending) selection.selectAlso(keys().slice(from, until + 1));
        show(rows[next]);
        return focusRow(next);
      }
      case "move": {
        const moved = movedWith(row.key);
        const order = moveByOne(keys(), moved, act.by);
        reorder(order, moved);
        return focusRow(order.indexOf(row.key));
      }
      case "inside":
        return focusInside(element, act.by);
      case "toggle":
        return selection.toggleRow(row.key, false);
      case "all":
        return selection.selectAll(true);
      case "clear":
        return selection.selectAll(false);
      case "remove": {
        const chosen = movedWith(row.key);
        const isRemoved = ({ key }: VideoRow) => chosen.has(key);
        return remove(rows.filter(isRemoved), index - rows.slice(0, index).filter(isRemoved).length);
      }
    }
  }
  function handleFocus(event: FocusEvent) {
    const isByOperator = grid.handleFocus(event);
    if (!isByOperator || !(event.target instanceof HTMLElement) || event.target.role !== "row") return;
    show(rows[Number(event.target.dataset.index)]);
  }
  function show(row: VideoRow | undefined) {
    if (row && row.video !== null) onShow(row.video);
  }
  const isChecking = rows.some((row) => row.state === "checking");
  return (
    <section aria-label="Videos in this job" className="grid grid-cols-1">
      <ListHead
        rows={rows}
        selected={selection.selected}
        onSelectAll={selection.selectAll}
        onMove={(by) => reorder(moveByOne(keys(), selection.ids, by), selection.ids)}
        onRemove={(removed) => remove(removed, 0)}
        onSort={(order) => edits.sort(rows, order)}
      />
      <div
        ref={grid.scroller}
        role="grid"
        aria-label="Videos"
        aria-rowcount={rows.length}
        aria-multiselectable
        aria-describedby={helpId}
        // Safari and Firefox make scroll containers focusable; here the rows are.
        tabIndex={-1}
        className="max-h-[min(466px,60dvh)] overflow-y-auto overscroll-contain border-b border-line outline-none"
        onKeyDown={handleKeyDown}
        onFocus={handleFocus}
        onBlur={grid.handleBlur}
      >
        <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const row = rows[index];
            return (
              row && (
                <VideoRowView
                  key={key}
                  row={row}
                  index={index}
                  top={start}
                  isSelected={selection.ids.has(row.key)}
                  isShown={index === shownIndex && rows.length > 1}
                  isTabStop={index === active}
                  isDragged={drag !== null && movedWith(drag.key).has(row.key)}
                  actions={rowActions}
                  measure={virtualizer.measureElement}
                />
              )
            );
          })}
          {drag && <div className="absolute inset-x-0 h-0.5 -translate-y-px bg-ink" style={{ top: drag.line }} />}
        </div>
      </div>
      {state === "failed" && (
        <p className="flex min-h-9 items-center gap-1.5 border-t border-line text-12 text-ink-3">
          <Icon icon={CloudOff} size={14} />
          Couldn't check the videos. You can start the job anyway.
          <Button size="sm" look="quiet" onClick={retry}>
            Check again
          </Button>
        </p>
      )}
      {rows.length > MOST_CHECKED && (
        <p className="min-h-9 border-t border-line py-2 text-12 text-ink-3">
          The first {formatCount(MOST_CHECKED)} videos are checked here. The others are checked when the job gets to
          them.
        </p>
      )}
      <p id={helpId} className="sr-only">
        Arrow keys move between videos, Space selects, Alt with an arrow key moves, Delete removes.
      </p>
      <output className="sr-only">{message}</output>
      <output className="sr-only">{isChecking ? "" : describeStates(rows)}</output>
    </section>
  );
}
