import { useState } from "react";
import { type Area, areaOf, type Place } from "../sheet/sheet.ts";
import type { Step } from "./read-sheet-key.ts";

const PAGE_ROWS = 15;

export type CellSelection = {
  /** Indexes among the shown rows. */
  active: Place;
  area: Area;
  /** Changes to request focus for the active cell. */
  focusRequest: number;
  select: (place: Place, isExtending?: boolean) => void;
  move: (step: Step, isExtending?: boolean) => void;
  selectArea: (area: Area) => void;
};

export function useSelectionOfCells(rows: number, columns: number): CellSelection {
  const [{ from, to, focusRequest }, setSelection] = useState({ from: ORIGIN, to: ORIGIN, focusRequest: 0 });
  const within = ({ row, column }: Place): Place => ({
    row: Math.max(0, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  });
  const active = within(to);
  const anchor = within(from);

  function select(place: Place, isExtending = false) {
    // Rows may be added at the same time; positions are clamped when read.
    const next = { row: Math.max(0, place.row), column: Math.max(0, place.column) };
    setSelection((was) => ({
      from: isExtending ? was.from : next,
      to: next,
      focusRequest: was.focusRequest + 1,
    }));
  }
  return {
    active,
    area: areaOf(anchor, active),
    focusRequest,
    select,
    move: (step, isExtending) => select(placeAfter(active, step, { rows, columns }), isExtending),
    selectArea: ({ top, left, bottom, right }) =>
      setSelection((was) => ({
        from: { row: bottom, column: right },
        to: { row: top, column: left },
        focusRequest: was.focusRequest + 1,
      })),
  };
}

const ORIGIN: Place = { row: 0, column: 0 };

function placeAfter(active: Place, step: Step, count: { rows: number; columns: number }): Place {
  const rows = {
    "page-up": active.row - PAGE_ROWS,
    "page-down": active.row + PAGE_ROWS,
    start: 0,
    end: count.rows - 1,
  };
  const columns = { start: 0, end: count.columns - 1 };
  return {
    row: typeof step.rows === "number" ? active.row + step.rows : rows[step.rows],
    column: typeof step.columns === "number" ? active.column + step.columns : columns[step.columns],
  };
}
