import { expect, test } from "vitest";
import { problemAt, problemBeside } from "./use-sheet-editor.ts";

const COLUMNS = ["link", "caption", "format"];
const FIRST = { row: 2, column: "format", message: "a" };
const SECOND = { row: 4, column: "link", message: "b" };
const OF_ROW = { row: 6, column: "", message: "c" };
const PROBLEMS = [FIRST, SECOND, OF_ROW];

test("the way leads from problem to problem, around the ends, and does not miss the row that Enter moved to", () => {
  const next = (row: number, column: number) => problemBeside(PROBLEMS, { row, column }, COLUMNS, 1);
  expect(next(0, 0)).toBe(FIRST);
  expect(next(1, 2)).toBe(SECOND);
  expect(next(3, 2)).toBe(SECOND);
  expect(next(3, 0)).toBe(OF_ROW);
  expect(next(9, 0)).toBe(FIRST);
  expect(problemBeside(PROBLEMS, { row: 3, column: 0 }, COLUMNS, -1)).toBe(FIRST);
  expect(problemBeside(PROBLEMS, { row: 0, column: 0 }, COLUMNS, -1)).toBe(OF_ROW);
  expect(problemBeside([], { row: 0, column: 0 }, COLUMNS, 1)).toBeNull();
});

test("a cell has its own problem, or that of its row", () => {
  expect(problemAt(PROBLEMS, { row: 1, column: 2 }, COLUMNS)).toBe(FIRST);
  expect(problemAt(PROBLEMS, { row: 1, column: 0 }, COLUMNS)).toBeNull();
  expect(problemAt(PROBLEMS, { row: 5, column: 1 }, COLUMNS)).toBe(OF_ROW);
});
