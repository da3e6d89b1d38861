import type { TableProblem } from "#contract/table/table.ts";
import type { Place } from "./sheet/sheet.ts";

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
