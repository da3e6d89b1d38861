/** CSV (RFC 4180), TSV, and cells copied from a spreadsheet. */
import type { RowSettings } from "../job-settings/job-settings.ts";
import { settingOf, settingsWhere } from "../job-settings/setting-values.ts";
import { JOB_LIMITS } from "../jobs/job-limits.ts";
import { MANIFEST_COLUMNS } from "../manifest/manifest.ts";
import { hasLink } from "../sources/links-in-text.ts";
import { restoreCell } from "./cell-protection.ts";
import { type ParsedText, parseRecords } from "./parse-records.ts";
import { type ColumnMapping, type Table, TABLE_LIMITS, type TableField, type TableProblem } from "./table.ts";

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

export const ROW_SETTING_NAMES = settingsWhere((row) => !row.isOfWholeJob) as (keyof RowSettings)[];

/** Common names; they precede the settings' labels. */
const FIELDS_BY_NAME: readonly (readonly [TableField, readonly string[]])[] = [
  ["link", ["link", "links", "url", "video", "video link", "video url", "source"]],
  ["name", ["name"]],
  ["caption", ["caption", "captions"]],
  ["track", ["track", "tracks", "music", "audio", "audio link"]],
  ["watermark", ["watermark"]],
  ["start_seconds", ["start"]],
  ["end_seconds", ["end"]],
  ["variants_per_video", ["variants"]],
];

const FIELDS: ReadonlyMap<string, TableField> = new Map<string, TableField>([
  ...ROW_SETTING_NAMES.map((name) => [keyOf(settingOf(name).label), name] as const),
  ...ROW_SETTING_NAMES.map((name) => [keyOf(name), name] as const),
  ...FIELDS_BY_NAME.flatMap(([field, names]) => names.map((name) => [keyOf(name), field] as const)),
]);

const OF_MANIFEST: ReadonlySet<string> = new Set(MANIFEST_COLUMNS);

/**
 * `chosen` has fields of columns with other names. Unknown columns are passed on, nameless ones are "unnamed", and a
 * manifest's columns about the file are ignored.
 */
export function mapColumns(
  columns: readonly string[],
  chosen: ReadonlyMap<string, TableField> = new Map(),
): TableField[] {
  const isOfManifest = isManifest(columns);
  return columns.map((column) => {
    const unknown = isOfManifest && OF_MANIFEST.has(column) ? "ignore" : "pass";
    // In a manifest, `source` links the video, `link` the file's route.
    if (isOfManifest && column === "link") return chosen.get(column) ?? "ignore";
    return chosen.get(column) ?? fieldNamed(column) ?? (isUnnamed(column) ? "unnamed" : unknown);
  });
}

export function isManifest(columns: readonly string[]): boolean {
  return columns.includes("output") && columns.includes("sha256");
}

/** Ignores case; treats spaces, hyphens and underscores alike. Returns null for other names. */
export function fieldNamed(name: string): TableField | null {
  const key = keyOf(name.replace(/ \(\d+\)$/, ""));
  return FIELDS.get(key) ?? NUMBERED.get(key.replace(/_?\d+$/, "")) ?? null;
}

/** Such as `caption_2`. */
const NUMBERED: ReadonlyMap<string, TableField> = new Map([
  ["caption", "caption"],
  ["track", "track"],
]);

function isUnnamed(column: string): boolean {
  return /^Column \d+$/.test(column);
}

function keyOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_");
}

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
