import { JOB_LIMITS } from "../jobs/job-limits.ts";
import type { ColumnMapping, Table, TableField, TableProblem } from "./table.ts";

/** Fields that several columns can have. */
const SHARED: ReadonlySet<TableField> = new Set([
  "caption",
  "track",
  "custom_captions",
  "custom_audio_links",
  "pass",
  "ignore",
  "unnamed",
]);

/** Returns the header's problems. Rows are read from columns without problems. */
export function columnProblems({ columns, records }: Table, mapping: ColumnMapping): TableProblem[] {
  if (records.length === 0) return [];
  const problems: TableProblem[] = [];
  const report = (column: string, message: string): void => void problems.push({ row: 0, column, message });
  if (!mapping.includes("link")) {
    report("", 'No column contains the video links. Name a column "link", or choose Link as the use of a column.');
  }
  for (const [place, column] of columns.entries()) {
    const field = mapping[place] ?? "pass";
    const first = SHARED.has(field) ? place : mapping.indexOf(field);
    if (first !== place)
      report(column, `The column "${columns[first]}" has the same use. Choose another for one of them.`);
    if (field === "unnamed" && isMostlyFilled(records, place)) {
      report(column, "This column has no name. Name it in the first row, or choose its use.");
    }
    if (field === "pass" && column.length > JOB_LIMITS.rowNameCharacters) {
      report(column, "Shorten this column's name to 200 characters.");
    }
  }
  if (mapping.filter((field) => field === "pass").length > JOB_LIMITS.passColumns) {
    report("", "At most 100 columns can be passed on. Remove some, or choose to ignore them.");
  }
  return problems;
}

/** Ignores columns that `columnProblems` reports as a whole. */
export function mappingOfRows({ records }: Table, mapping: ColumnMapping): ColumnMapping {
  return mapping.map((field, place) => (field === "unnamed" && isMostlyFilled(records, place) ? "ignore" : field));
}

/** A mostly filled column lacks its name; others are the rest of cells split at a comma. */
function isMostlyFilled(records: readonly string[][], place: number): boolean {
  return records.filter((record) => record[place]?.trim()).length * 2 > records.length;
}
