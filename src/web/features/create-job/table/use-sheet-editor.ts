import { useMemo, useState } from "react";
import type { RowContext } from "#contract/table/read-rows.ts";
import type { TableField, TableProblem } from "#contract/table/table.ts";
import { useSelectionOfCells } from "./grid/use-selection-of-cells.ts";
import { checkSheet, createRowCheck } from "./sheet/check-sheet.ts";
import { addStep, redo, startHistory, undo } from "./sheet/sheet-history.ts";
import { addRows, type Place, removeRows, setField, type Sheet } from "./sheet/sheet.ts";

export function useSheetEditor(start: Sheet, context: RowContext) {
  const [history, setHistory] = useState(() => startHistory(start));
  const sheet = history.present;
  const { columns, fields } = sheet;
  const check = useMemo(() => createRowCheck({ columns, fields }, context), [columns, fields, context]);
  const checked = useMemo(() => checkSheet(sheet, check), [sheet, check]);
  const [filter, setFilter] = useState<Filter | null>(null);
  // Keep corrected rows visible. Removed rows renumber the others.
  const shown = filter === null ? null : filter.rowCount === sheet.rows.length ? filter.rows : checked.invalid;
  const selection = useSelectionOfCells(shown ? shown.length : sheet.rows.length, columns.length);
  const { active, area, select } = selection;
  const rowAt = (index: number) => (shown ? (shown[index] ?? -1) : index);
  const current = problemAt(checked.problems, { row: rowAt(active.row), column: active.column }, columns);

  const change = (next: Sheet) => setHistory((was) => addStep(was, next));
  function goTo({ row, column }: TableProblem) {
    const index = shown ? shown.indexOf(row - 1) : row - 1;
    // The row is newer than the filter.
    if (index === -1 && row > 0) setFilter(null);
    select({ row: index === -1 ? row - 1 : index, column: Math.max(0, columns.indexOf(column)) });
  }
  return {
    ...{ sheet, check, checked, shown, selection, current },
    isChanged: history.past.length > 0,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change,
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    chooseField: (column: number, field: TableField) => change(setField(sheet, column, field)),
    addRow: () => {
      setFilter(null);
      change(addRows(sheet, 1));
      select({ row: sheet.rows.length, column: 0 });
    },
    removeSelected: () => {
      const rows = Array.from({ length: area.bottom - area.top + 1 }, (_, index) => rowAt(area.top + index));
      change(removeRows(sheet, new Set(rows)));
      select({ row: area.top, column: active.column });
    },
    removeInvalid: () => change(removeRows(sheet, new Set(checked.invalid))),
    showInvalid: (isOn: boolean) => setFilter(isOn ? { rows: checked.invalid, rowCount: sheet.rows.length } : null),
    goTo,
    goBeside: (by: -1 | 1) => {
      const problem = problemBeside(checked.problems, { row: rowAt(active.row), column: active.column }, columns, by);
      if (problem) goTo(problem);
    },
  };
}

export type SheetEditorState = ReturnType<typeof useSheetEditor>;

type Filter = { rows: readonly number[]; rowCount: number };

/** Returns null without a problem. Places count from 0, rows of problems from 1. */
export function problemAt(
  problems: readonly TableProblem[],
  { row, column }: Place,
  columns: readonly string[],
): TableProblem | null {
  const ofRow = problems.filter((problem) => problem.row === row + 1);
  return (
    ofRow.find((problem) => problem.column === columns[column]) ??
    ofRow.find((problem) => !columns.includes(problem.column)) ??
    null
  );
}

/** Returns the next (1) or previous (-1) problem, wrapping around. From a cell without one, its row's come first. */
export function problemBeside(
  problems: readonly TableProblem[],
  { row, column }: Place,
  columns: readonly string[],
  by: -1 | 1,
): TableProblem | null {
  const orderOf = (problem: TableProblem) =>
    problem.row * columns.length + Math.max(0, columns.indexOf(problem.column));
  const start = (row + 1) * columns.length;
  const here = start + column;
  const isAtProblem = problems.some((problem) => orderOf(problem) === here);
  const found =
    by === 1
      ? problems.find((problem) => (isAtProblem ? orderOf(problem) > here : orderOf(problem) >= start))
      : problems.findLast((problem) => orderOf(problem) < here);
  return found ?? problems.at(by === 1 ? 0 : -1) ?? null;
}
