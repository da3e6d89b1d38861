import { z } from "zod";
import { component } from "../component.ts";
import type { JobRow, RowSettings } from "../job-settings/job-settings.ts";

export const TABLE_LIMITS = {
  /** In UTF-16 units. */
  characters: 8 * 1024 ** 2,
  /** Includes empty rows between others. */
  records: 50_000,
  columns: 200,
  /** Per record, including unused columns. Excel has at most 16,384 columns. */
  cells: 16_384,
  problems: 10_000,
} as const;

export type Table = {
  /** Distinct, never empty. */
  columns: string[];
  /** Rows of cells, one for every column. Keeps empty rows between others. */
  records: string[][];
  /** Unreadable parts of the text. */
  problems: TableProblem[];
};

export const TableProblem = component("TableProblem", () => ({
  row: z.number().describe("From 1, below the header; 0 is the header or the entire table."),
  column: z.string().describe("Empty if no single column has the problem."),
  message: z.string(),
}));
export type TableProblem = z.infer<typeof TableProblem>;

/**
 * How a column's cells are used.
 * - caption, track: one of the video's captions or audio links; several columns can have them.
 * - watermark: a text, or a library image's link.
 * - pass: passed on to the manifest by the column's name.
 * - ignore: not used.
 * - unnamed: has no name; its cells are problems until it is mapped.
 */
export type TableField =
  | "link"
  | "name"
  | "caption"
  | "track"
  | "watermark"
  | keyof RowSettings
  | "pass"
  | "ignore"
  | "unnamed";

export type ColumnMapping = readonly TableField[];

export type TableRows = {
  /** Excludes empty rows. */
  rows: JobRow[];
  /** Place of each row in the table. */
  numbers: number[];
  /** Sorted by row, then column. */
  problems: TableProblem[];
};
