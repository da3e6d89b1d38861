import { useMemo, useState } from "react";
import type { RowContext } from "#contract/table/read-row.ts";
import type { TableField, TableProblem } from "#contract/table/table.ts";
import { checkSheet, createRowCheck } from "./sheet/check-sheet.ts";
import { addRows, removeRows, setField, type Sheet } from "./sheet/sheet.ts";
import { addStep, redo, startHistory, undo } from "./sheet/sheet-history.ts";
import { problemBeside, problemAt } from "./problems.ts";
import { useSelectionOfCells } from "./grid/use-selection-of-cells.ts";

export function useSheetEditor(start: Sheet, context: RowContext) {
  const [history, setHistory] = useState(() => startHistory(start));
  const sheet = history.present;
  const { columns, fields } = sheet;
  const check = useMemo(() => createRowCheck({ columns, fields }, context), [columns, fields, context]);
  const checked = useMemo(() => checkSheet(sheet, check), [sheet, check]);
  const [filter, setFilter] = useState<Filter | null>(null);
  // Keep corrected rows visible. Removed rows renumber the others.
  const shown = filter === null ? null : filter.rowCount === sheet.rows.length ? filter.rows : checked.faulty;
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
    removeFaulty: () => change(removeRows(sheet, new Set(checked.faulty))),
    showFaulty: (isOn: boolean) => setFilter(isOn ? { rows: checked.faulty, rowCount: sheet.rows.length } : null),
    goTo,
    goBeside: (by: -1 | 1) => {
      const problem = problemBeside(checked.problems, { row: rowAt(active.row), column: active.column }, columns, by);
      if (problem) goTo(problem);
    },
  };
}

export type SheetEditorState = ReturnType<typeof useSheetEditor>;

type Filter = { rows: readonly number[]; rowCount: number };
