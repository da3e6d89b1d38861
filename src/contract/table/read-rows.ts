import type { JobRow, JobSettings, RowSettings, SettingName } from "../job-settings/job-settings.ts";
import { JOB_LIMITS } from "../jobs/job-limits.ts";
import { VIDEO_RULES } from "../jobs/job-rules.ts";
import { withPlatformDefaults } from "../jobs/outputs/platforms.ts";
import { bytesOfRows } from "../jobs/rows.ts";
import { withSwitches } from "../jobs/video-settings.ts";
import { passedColumn } from "../manifest/pass-columns.ts";
import type { AcceptedSources } from "../sources/accepted-sources.ts";
import { linksIn } from "../sources/links-in-text.ts";
import { splitCaptions } from "../sources/links.ts";
import {
  isLibraryLink,
  readAudioLink,
  type ReadCell,
  readVideoLink,
  readLimitedText,
  readSetting,
} from "./read-setting.ts";
import { columnProblems, isManifest, mappingOfRows } from "./read-table.ts";
import {
  type ColumnMapping,
  type Table,
  TABLE_LIMITS,
  type TableField,
  type TableProblem,
  type TableRows,
} from "./table.ts";

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

export type RowContext = {
  accepted: AcceptedSources;
  /** Known settings of the job. */
  settings?: Partial<JobSettings>;
};

type CellProblem = Omit<TableProblem, "row">;

/** `row` is null for an empty row or one with problems. */
type ReadRow = { row: JobRow | null; problems: CellProblem[] };

export function readRow(
  columns: readonly string[],
  mapping: ColumnMapping,
  record: readonly string[],
  context: RowContext,
): ReadRow {
  if (!record.some((cell) => cell.trim() !== "")) return { row: null, problems: [] };
  const row: RowParts = { link: null, name: null, settings: {}, pass: [], columnOf: new Map() };
  const problems: CellProblem[] = [];
  for (const [place, column] of columns.entries()) {
    const cell = record[place] ?? "";
    const message = cell.trim() === "" ? null : addCell(row, mapping[place] ?? "pass", { cell, column }, context);
    if (message !== null) problems.push({ column, message });
  }
  const link = mapping.indexOf("link");
  if (row.link === null && link !== -1 && !problems.some(({ column }) => column === columns[link])) {
    problems.push({ column: columns[link]!, message: "Add the link of the video, or clear the row." });
  }
  if (problems.length === 0) problems.push(...ruleProblems(row, context));
  return problems.length === 0 && row.link !== null
    ? { row: toJobRow(row, row.link, isManifest(columns)), problems }
    : { row: null, problems };
}

type RowParts = {
  link: string | null;
  name: string | null;
  settings: Record<string, unknown>;
  pass: [column: string, cell: string][];
  columnOf: Map<string, string>;
};

/** Error values that spreadsheets show for formulas. */
const FORMULA_ERROR = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|ERROR!|SPILL!|CALC!)$/;

/** Returns the cell's problem, or null. */
function addCell(
  row: RowParts,
  field: TableField,
  { cell, column }: { cell: string; column: string },
  { accepted }: RowContext,
): string | null {
  if (field === "ignore") return null;
  if (field === "unnamed") {
    return "This column has no name. Clear the cell, or quote the cell before it if it was split at a comma.";
  }
  if (field === "pass") {
    if (cell.length > JOB_LIMITS.passCharacters) return "Shorten this text to 2,000 characters.";
    row.pass.push([column, cell]);
    return null;
  }
  const text = cell.trim();
  if (FORMULA_ERROR.test(text)) return `Correct the formula in the spreadsheet: its result is ${text}.`;
  if (field === "link") {
    const read = readVideoLink(text, accepted);
    if ("value" in read) row.link = read.value as string;
    return messageOf(read);
  }
  if (field === "name") {
    const read = readLimitedText(text, JOB_LIMITS.rowNameCharacters);
    if ("value" in read) row.name = text;
    return messageOf(read);
  }
  const [name, read] = readOwnSetting(field, text, accepted);
  return addSetting(row, name, column, read);
}

function readOwnSetting(
  field: Exclude<TableField, "ignore" | "unnamed" | "pass" | "link" | "name">,
  text: string,
  accepted: AcceptedSources,
): [SettingName, ReadCell] {
  if (field === "caption") return ["custom_captions", listOf(readLimitedText(text, JOB_LIMITS.captionCharacters))];
  if (field === "track" || field === "custom_audio_links")
    return ["custom_audio_links", readAudioLinks(text, accepted)];
  const name = field === "watermark" ? (isLibraryLink(text) ? "watermark_image" : "watermark_text") : field;
  return [name, readSetting(name, text, accepted)];
}

function messageOf(read: ReadCell): string | null {
  return "message" in read ? read.message : null;
}

function listOf(read: ReadCell): ReadCell {
  return "value" in read ? { value: [read.value] } : read;
}

function readAudioLinks(text: string, accepted: AcceptedSources): ReadCell {
  const read = readSetting("custom_audio_links", splitCaptions(text).flatMap(linksIn).join("\n"), accepted);
  if ("message" in read) return read;
  const links = (read.value as string[]).map((link) => readAudioLink(link, accepted));
  const rejected = links.find((link) => "message" in link);
  return rejected ?? { value: links.map((link) => "value" in link && link.value) };
}

/** Joins lists of several columns. */
function addSetting(row: RowParts, name: SettingName, column: string, read: ReadCell): string | null {
  if ("message" in read) return read.message;
  const earlier = row.settings[name];
  if (row.columnOf.has(name) && !Array.isArray(earlier)) {
    return `The column "${row.columnOf.get(name)}" also has this setting. Clear one of the two cells.`;
  }
  // Not a new list per cell: a row can have 200 captions.
  if (Array.isArray(earlier)) for (const item of read.value as unknown[]) earlier.push(item);
  else row.settings[name] = read.value;
  row.columnOf.set(name, column);
  return null;
}

function ruleProblems({ settings, columnOf }: RowParts, { accepted, settings: job = {} }: RowContext): CellProblem[] {
  if (columnOf.size === 0) return [];
  const all = { ...job, ...withSwitches(withPlatformDefaults(settings) as RowSettings) };
  return VIDEO_RULES.flatMap(({ settings: names, check }) => {
    const name = names.find((candidate) => columnOf.has(candidate));
    const problem = name ? check(all, accepted) : null;
    return problem ? [{ column: columnOf.get(name!)!, message: `${problem.description}.` }] : [];
  });
}

function toJobRow({ name, settings, pass, columnOf }: RowParts, link: string, isOfManifest: boolean): JobRow {
  return {
    link,
    ...(name !== null && { name }),
    ...(columnOf.size > 0 && { settings }),
    ...(pass.length > 0 && {
      pass: Object.fromEntries(pass.map(([column, cell]) => [(isOfManifest && passedColumn(column)) || column, cell])),
    }),
  };
}
