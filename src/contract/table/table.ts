/** Tables: the videos of a job, one per row, with named columns. */
import type { JobRow, RowSettings } from "../job-settings/job-settings.ts";

export const TABLE_LIMITS = {
  /** Length of a table's text, in UTF-16 units. */
  characters: 8 * 1024 ** 2,
  /** Including empty rows among others. */
  records: 50_000,
  columns: 200,
  /** Problems that are listed. */
  problems: 10_000,
} as const;

export type Table = {
  /** Different from each other, never empty. */
  columns: string[];
  /** Cells by row and column. All rows have a cell for every column. Empty rows among others are kept. */
  records: string[][];
  /** Parts of the text that could not be read. */
  problems: TableProblem[];
};

export type TableProblem = {
  /** 1 is the first row below the header; 0 is the header, or the table as a whole. */
  row: number;
  /** As in `Table.columns`; empty if no single column has the problem. */
  column: string;
  /** A sentence, with the remedy. */
  message: string;
};

/**
 * The use of a column's cells.
 * - caption, track: one of the video's captions or audio links. Several columns can be mapped to them.
 * - watermark: a text, or the link of an image in the library.
 * - pass: passed on to the manifest with the column's name.
 * - ignore: not used.
 * - unnamed: a column without a name, whose cells are problems until it is mapped to another field.
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

/** The field of each column, in the order of `Table.columns`. */
export type ColumnMapping = readonly TableField[];

export type TableRows = {
  /** Rows without problems. Empty rows are left out. */
  rows: JobRow[];
  /** The number of each of `rows` in the table. */
  numbers: number[];
  /** By row, then in the order of columns. */
  problems: TableProblem[];
};
