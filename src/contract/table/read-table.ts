/** CSV (RFC 4180), TSV, and cells copied from a spreadsheet. */
import { hasLink } from "../sources/links-in-text.ts";
import { restoreCell } from "./cell-protection.ts";
import { type ParsedText, parseRecords } from "./parse-records.ts";
import { type Table, TABLE_LIMITS, type TableProblem } from "./table.ts";

/**
 * The first row names the columns and shows the separator (tab, semicolon, comma or |). If it has a link, it is data, and
 * only that link's column has a name. Restores cells changed by `protectCell`. Never throws.
 */
export function readTable(text: string): Table {
  if (text.length > TABLE_LIMITS.characters) return unreadable("The table is larger than 8 MB. Split it.");
  // UTF-16 read as UTF-8.
  if (text.includes("\0")) return unreadable("This table is not in UTF-8. Save it as CSV in UTF-8.");
  const parsed = parseRecords(text.toWellFormed());
  const { records, exceeded } = parsed;
  if (exceeded === "cells") return unreadable(TOO_MANY_COLUMNS);
  const [first] = records;
  if (!first) return unreadable(parsed.unclosed === null ? EMPTY : UNCLOSED);
  const link = first.findIndex(hasLink);
  const header = link === -1 ? first : first.map((_, place) => (place === link ? "link" : ""));
  const firstRow = link === -1 ? 1 : 0;
  const body = records.slice(firstRow);
  if (exceeded === "records" || body.length > TABLE_LIMITS.records) return unreadable(TOO_MANY_ROWS);
  const places = usedPlaces([header, ...body]);
  if (places.length > TABLE_LIMITS.columns) return unreadable(TOO_MANY_COLUMNS);
  const columns = uniqueNames(places.map((place) => nameAt(header, place)));
  return {
    columns,
    records: body.map((record) => places.map((place) => restoreCell(record[place] ?? ""))),
    problems: unclosedProblems(parsed, { firstRow, nameOf: (place) => columns[places.indexOf(place)] ?? "" }),
  };
}

const EMPTY = "The table is empty. Its first row must name the columns, such as link and caption.";
const TOO_MANY_ROWS = "The table has more than 50,000 rows. Split it.";
const TOO_MANY_COLUMNS = "The table has more than 200 columns. Remove some.";
const UNCLOSED =
  "This cell starts with a quotation mark that is never closed, so the rows below it could not be read. Close or remove it.";

function unreadable(message: string): Table {
  return { columns: [], records: [], problems: [{ row: 0, column: "", message }] };
}

function unclosedProblems(
  { unclosed }: ParsedText,
  { firstRow, nameOf }: { firstRow: number; nameOf: (place: number) => string },
): TableProblem[] {
  if (unclosed === null) return [];
  return [{ row: unclosed.record - firstRow + 1, column: nameOf(unclosed.column), message: UNCLOSED }];
}

/** Returns the places of columns with a name or cell, in order. */
function usedPlaces(records: readonly string[][]): number[] {
  const places = new Set<number>();
  for (const record of records) {
    for (const [place, cell] of record.entries()) if (cell !== "" && cell.trim() !== "") places.add(place);
  }
  return [...places].toSorted((a, b) => a - b);
}

function nameAt(header: readonly string[], place: number): string {
  return restoreCell(header[place] ?? "").trim() || `Column ${place + 1}`;
}

function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; seen.has(unique) || (unique !== name && taken.has(unique)); number++) {
      unique = `${name} (${number})`;
    }
    seen.add(unique);
    return unique;
  });
}
