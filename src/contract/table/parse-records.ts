import { TABLE_LIMITS } from "./table.ts";

export type ParsedText = {
  /** From the first record with text to the last. Records between them can be empty. */
  records: string[][];
  /** The place of a cell with an unclosed quotation mark: an index after the last record's, and one in its record. */
  unclosed: { record: number; column: number } | null;
  /** The limit that ended parsing. */
  exceeded: "records" | "cells" | null;
};

/**
 * Reads RFC 4180 in one pass, which ends at the first record above a limit. Keeps quotation marks inside cells:
 * spreadsheets copy cells unquoted.
 */
export function parseRecords(text: string): ParsedText {
  const { body, delimiter } = findDelimiter(text.replace(/^\uFEFF/, ""));
  const records: string[][] = [];
  let record: string[] = [];
  let isEmpty = true;
  /** Kept only if a record with text follows. */
  let empties = 0;
  for (let at = 0; at < body.length;) {
    if (record.length === 0 && isLineEnd(body.charCodeAt(at))) {
      at = afterLineEnd(body, at);
      if (records.length > 0) empties++;
      continue;
    }
    const { cell, end } =
      body.charCodeAt(at) === QUOTE ? readQuoted(body, at, delimiter) : readPlain(body, at, delimiter);
    if (end === -1) {
      return { records, unclosed: { record: records.length + empties, column: record.length }, exceeded: null };
    }
    record.push(cell);
    isEmpty &&= cell.trim() === "";
    if (record.length > TABLE_LIMITS.cells) return { records, unclosed: null, exceeded: "cells" };
    at = afterLineEnd(body, end);
    // A delimiter at the very end precedes an empty cell.
    if (body.charCodeAt(end) === delimiter && at < body.length) continue;
    if (isEmpty) {
      if (records.length > 0) empties++;
    } else {
      // One more than the limit: the first may be the header.
      if (records.length + empties > TABLE_LIMITS.records) return { records, unclosed: null, exceeded: "records" };
      for (; empties > 0; empties--) records.push([]);
      records.push(record);
    }
    record = [];
    isEmpty = true;
  }
  return { records, unclosed: null, exceeded: null };
}

const [QUOTE, RETURN, NEWLINE] = [0x22, 0x0d, 0x0a];

function isLineEnd(code: number): boolean {
  return code === NEWLINE || code === RETURN;
}

/** Returns the place after the line end or other character at `end`. */
function afterLineEnd(text: string, end: number): number {
  return text.charCodeAt(end) === RETURN && text.charCodeAt(end + 1) === NEWLINE ? end + 2 : end + 1;
}

/** `end` is the place of the delimiter or line end after the cell, or the text's end. */
type ReadCell = { cell: string; end: number };

function readPlain(text: string, start: number, delimiter: number): ReadCell {
  const end = endOfCell(text, start, delimiter);
  return { cell: text.slice(start, end), end };
}

/** `end` is -1 for an unclosed quotation mark. */
function readQuoted(text: string, start: number, delimiter: number): ReadCell {
  let close = text.indexOf('"', start + 1);
  let hasDoubled = false;
  while (close !== -1 && text.charCodeAt(close + 1) === QUOTE) {
    hasDoubled = true;
    close = text.indexOf('"', close + 2);
  }
  if (close === -1) return { cell: "", end: -1 };
  const quoted = text.slice(start + 1, close);
  const inner = hasDoubled ? quoted.replaceAll('""', '"') : quoted;
  const end = endOfCell(text, close + 1, delimiter);
  // Text after the closing mark shows that the marks belong to the cell.
  return { cell: end === close + 1 ? inner : `"${inner}"${text.slice(close + 1, end)}`, end };
}

function endOfCell(text: string, start: number, delimiter: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === delimiter || isLineEnd(code)) return at;
  }
  return text.length;
}

/** In order of preference. */
const DELIMITERS = ["\t", ";", ",", "|"] as const;

/** Excel reads it as a line before the header. Programs that quote every cell quote it, too. */
const DELIMITER_LINE = /^("?)sep=([;,\t|])\1(?:\r\n|\n|\r)/i;

/** The most frequent one in the first nonempty line, outside quotation marks. */
function findDelimiter(text: string): { body: string; delimiter: number } {
  const line = DELIMITER_LINE.exec(text);
  if (line) return { body: text.slice(line[0].length), delimiter: line[2]!.charCodeAt(0) };
  const counts = DELIMITERS.map(() => 0);
  let isQuoted = false;
  for (let at = text.search(/\S/); at >= 0 && at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === "\n" || character === "\r") break;
    const place = (DELIMITERS as readonly string[]).indexOf(character);
    if (place >= 0) counts[place]!++;
  }
  const most = Math.max(...counts);
  return { body: text, delimiter: (most === 0 ? "," : DELIMITERS[counts.indexOf(most)]!).charCodeAt(0) };
}
