import * as fc from "fast-check";
import { CsvError, parse } from "csv-parse/browser/esm/sync";
import { expect, test } from "vitest";
import { parseRecords } from "./parse-records.ts";
import { readTable } from "./read-table.ts";
import { TABLE_LIMITS } from "./table.ts";

const LARGEST = TABLE_LIMITS.characters;

/** Without the empty records around the others, and the empty cells at the end of a record. */
function readWithLibrary(text: string): { records: string[][]; unclosed: boolean } {
  const records: string[][] = [];
  let unclosed = false;
  try {
    parse(text, {
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      on_record: (record: string[]) => void records.push(record),
    });
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== "CSV_QUOTE_NOT_CLOSED") throw error;
    unclosed = true;
  }
  return { records: withoutEmpties(records), unclosed };
}

function hasText(record: readonly string[]): boolean {
  return record.some((cell) => cell.trim() !== "");
}

function withoutEmpties(records: readonly string[][]): string[][] {
  return records
    .slice(Math.max(0, records.findIndex(hasText)), records.findLastIndex(hasText) + 1)
    .map((record) => record.slice(0, record.findLastIndex((cell) => cell.trim() !== "") + 1));
}

test("reads any text like csv-parse", () => {
  const part = fc.constantFrom('"', '""', ",", "\n", "\r", "\r\n", "a", "b c", " ", "é😀", '"x"', '"x,\ny"');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      // The first line has only commas.
      const text = `a,b\n${parts.join("")}`;
      const { records, unclosed } = parseRecords(text);
      expect({ records: withoutEmpties(records), unclosed: unclosed !== null }).toEqual(readWithLibrary(text));
    }),
    { numRuns: 1_000 },
  );
});

/** Without an end at the first record above a limit, these take seconds to minutes. */
test.each([
  ["blank lines", `link\n${"\n".repeat(LARGEST - 10)}`, ""],
  ["blank lines before a row", `link\n${"\n".repeat(LARGEST - 10)}x`, "The table has more than 50,000 rows."],
  ["short rows", "a\n".repeat(LARGEST / 2), "The table has more than 50,000 rows."],
  ["one cell", "x".repeat(LARGEST), ""],
  ["delimiters", `${",".repeat(LARGEST - 1)}x`, "The table has more than 200 columns."],
  ["links in one row", "a://,".repeat(LARGEST / 5), "The table has more than 200 columns."],
  ["doubled quotation marks", `link\n"${'""'.repeat(LARGEST / 2 - 5)}"`, ""],
  ["quotation marks in the header", '"'.repeat(LARGEST), ""],
  ["opened quotation marks", '"a\n'.repeat(LARGEST / 3), ""],
])("reads 8 MB of %s within a second of CPU time", (_, text, sentence) => {
  const before = process.threadCpuUsage();
  const { problems } = readTable(text);
  const { user, system } = process.threadCpuUsage(before);
  expect(problems[0]?.message ?? "").toContain(sentence);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
