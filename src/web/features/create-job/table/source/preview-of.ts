import { readTable } from "#contract/table/read-table.ts";

const MOST_ROWS = 5;
const MOST_COLUMNS = 8;
/** Holds the first rows of most tables, and is read between two frames. */
const MOST_CHARACTERS = 10_000;

/** Returns the header and the first rows. If only later rows depend on the encoding, returns these. */
export function previewOf(text: string): { columns: string[]; rows: string[][] } {
  const { columns, records } = readTable(excerptOf(text));
  return { columns: columns.slice(0, MOST_COLUMNS), rows: records.slice(0, MOST_ROWS) };
}

function excerptOf(text: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII is the same in every encoding of the list
  const first = text.search(/[^\0-\x7f]/);
  if (first < MOST_CHARACTERS / 2) return text.slice(0, MOST_CHARACTERS);
  const header = text.slice(0, text.search(/[\r\n]/) + 1);
  const line = Math.max(text.lastIndexOf("\n", first), text.lastIndexOf("\r", first)) + 1;
  return `${header}\n${text.slice(line, line + MOST_CHARACTERS)}`;
}
