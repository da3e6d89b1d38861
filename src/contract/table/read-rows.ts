import type { JobRow } from "../job-settings/job-settings.ts";
import { JOB_LIMITS } from "../jobs/job-limits.ts";
import { bytesOfRows } from "../jobs/rows.ts";
import { columnProblems, mappingOfRows } from "./column-problems.ts";
import { readRow, type RowContext } from "./read-row.ts";
import { type ColumnMapping, type Table, TABLE_LIMITS, type TableProblem, type TableRows } from "./table.ts";

/** Returns rows without problems and the others' problems, at most `TABLE_LIMITS.problems`. Never throws. */
export function readRows(table: Table, mapping: ColumnMapping, context: RowContext): TableRows {
  const rows: JobRow[] = [];
  const numbers: number[] = [];
  const problems = [...table.problems];
  const fields = mappingOfRows(table, mapping);
  for (const [index, record] of table.records.entries()) {
    if (problems.length > TABLE_LIMITS.problems) break;
    const read = readRow(table.columns, fields, record, context);
    problems.push(...read.problems.map((problem) => ({ row: index + 1, ...problem })));
    if (!read.row) continue;
    rows.push(read.row);
    numbers.push(index + 1);
  }
  problems.push(...columnProblems(table, mapping), ...sizeProblems(rows));
  if (rows.length === 0 && problems.length === 0) problems.push({ row: 0, column: "", message: NO_ROWS });
  problems.sort((a, b) => a.row - b.row);
  return { rows, numbers, problems: atMost(problems) };
}

const NO_ROWS = "The table has no rows below its header. Add one for each video.";

function sizeProblems(rows: readonly JobRow[]): TableProblem[] {
  const messages: string[] = [];
  if (rows.length > JOB_LIMITS.videos) {
    messages.push("A job can have at most 10,000 videos. Split the table into several jobs.");
  }
  if (bytesOfRows(rows, JOB_LIMITS.rowBytes) > JOB_LIMITS.rowBytes) {
    messages.push(
      "The rows of a job can total at most 4 MB. Split the table, or ignore columns that are only passed on.",
    );
  }
  return messages.map((message) => ({ row: 0, column: "", message }));
}

function atMost(problems: TableProblem[]): TableProblem[] {
  if (problems.length <= TABLE_LIMITS.problems) return problems;
  const message = "The table has more than 10,000 problems. The first ones are listed.";
  return [{ row: 0, column: "", message }, ...problems.slice(0, TABLE_LIMITS.problems)];
}
