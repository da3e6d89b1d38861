import { CsvError, parse } from "csv-parse/browser/esm/sync";

export type ParsedText = {
  records: string[][];
  /** Index, in the record after the last, of a cell with an unclosed quotation mark. */
  unclosed: number | null;
};

/** Keeps quotation marks inside cells: spreadsheets copy cells unquoted. */
export function parseRecords(text: string): ParsedText {
  const { body, delimiter } = findDelimiter(text.replace(/^\uFEFF/, ""));
  const records: string[][] = [];
  try {
    parse(body, {
      delimiter,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      on_record: (record: string[]) => {
        records.push(record);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== "CSV_QUOTE_NOT_CLOSED") throw error;
    return { records, unclosed: Number(error["column"]) };
  }
  return { records, unclosed: null };
}

/** In order of preference. */
const DELIMITERS = ["\t", ";", ",", "|"] as const;

/** Excel reads it as a line before the header. Programs that quote every cell quote it, too. */
const DELIMITER_LINE = /^("?)sep=([;,\t|])\1(?:\r\n|\n|\r)/i;

/** The most frequent one in the first nonempty line, outside quotation marks. */
function findDelimiter(text: string): { body: string; delimiter: string } {
  const line = DELIMITER_LINE.exec(text);
  if (line) return { body: text.slice(line[0].length), delimiter: line[2]! };
  const header = /^(?:[^"\r\n]|"[^"]*(?:"|$))+/.exec(text.trimStart())?.[0] ?? "";
  const unquoted = header.replaceAll(/"[^"]*"?/g, "");
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length);
  return {
    body: text,
    delimiter: counts.every((count) => count === 1) ? "," : DELIMITERS[counts.indexOf(Math.max(...counts))]!,
  };
}
