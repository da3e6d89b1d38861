import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { columnProblems } from "#contract/table/read-table.ts";
import { readRow, type RowContext } from "#contract/table/read-rows.ts";
import type { Table, TableProblem } from "#contract/table/table.ts";
import type { Sheet, SheetRow } from "./sheet.ts";

type CheckedRow = {
  /** Null for empty rows and rows with problems. */
  row: JobRow | null;
  /** `row` is always 1 here. */
  problems: readonly TableProblem[];
};

export type RowCheck = (cells: SheetRow) => CheckedRow;

/** Results are cached by row identity. */
export function createRowCheck({ columns, fields }: Pick<Sheet, "columns" | "fields">, context: RowContext): RowCheck {
  const known = new WeakMap<SheetRow, CheckedRow>();
  return (cells) => {
    const before = known.get(cells);
    if (before) return before;
    const read = readRow(columns, fields, cells, context);
    const problems = read.problems.length === 0 ? NO_PROBLEMS : read.problems.map((one) => ({ row: 1, ...one }));
    const checked = { row: read.row, problems };
    known.set(cells, checked);
    return checked;
  };
}

const NO_PROBLEMS: readonly TableProblem[] = [];

export type CheckedSheet = {
  rows: JobRow[];
  /** By row (from 1; 0 is the entire table), then by column. */
  problems: TableProblem[];
  /** Indexes of rows with problems. */
  invalid: number[];
};

export function checkSheet(sheet: Sheet, check: RowCheck): CheckedSheet {
  const ofColumns = columnProblems(asTable(sheet), sheet.fields);
  const found: CheckedSheet = { rows: [], problems: [...ofColumns], invalid: [] };
  for (const [index, cells] of sheet.rows.entries()) {
    const { row, problems } = check(cells);
    if (row) found.rows.push(row);
    if (problems.length === 0) continue;
    found.invalid.push(index);
    for (const problem of problems) found.problems.push({ ...problem, row: index + 1 });
  }
  return found;
}

/** Only the types are mutable; nothing changes them. */
function asTable({ columns, rows }: Sheet): Table {
  return { columns: columns as string[], records: rows as string[][], problems: [] };
}
