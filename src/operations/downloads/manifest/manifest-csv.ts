import { stringify } from "csv-stringify/sync";
import { MANIFEST_COLUMNS, type ManifestLine } from "#contract/manifest/manifest.ts";
import { manifestColumn } from "#contract/manifest/pass-columns.ts";
import { protectCell } from "#contract/table/cell-protection.ts";

/** Limit for all passed cells: a row with many outputs could otherwise fill gigabytes. */
const MAX_PASSED_CHARACTERS = 32 * 1024 ** 2;

export type PassedLine = { line: ManifestLine; pass: Readonly<Record<string, string>> | null };

/**
 * RFC 4180 in UTF-8 with a byte order mark, which spreadsheets need. Passed columns come last; above 32 million
 * characters, only the first line of each row has them.
 */
export function manifestCsv(lines: readonly PassedLine[]): string {
  const passed = [...new Set(lines.flatMap(({ pass }) => Object.keys(pass ?? {})))];
  const isLarge = lines.reduce((sum, { pass }) => sum + charactersOf(pass), 0) > MAX_PASSED_CHARACTERS;
  let lastRow = 0;
  const cells = lines.map(({ line, pass }) => {
    const isLeftOut = isLarge && line.row === lastRow;
    lastRow = line.row;
    return [
      ...MANIFEST_COLUMNS.map((column) => toCell(line[column])),
      ...passed.map((column) => toCell(!isLeftOut && pass && Object.hasOwn(pass, column) ? pass[column]! : null)),
    ];
  });
  const header = [...MANIFEST_COLUMNS, ...passed.map(manifestColumn)].map(protectCell);
  // Without quotes, a single CR or LF in a cell would end the record in a spreadsheet.
  return stringify([header, ...cells], { bom: true, record_delimiter: "windows", quoted_match: /[\r\n]/ });
}

function toCell(value: string | number | null): string {
  return typeof value === "string" ? protectCell(value) : String(value ?? "");
}

function charactersOf(pass: PassedLine["pass"]): number {
  return Object.values(pass ?? {}).reduce((sum, cell) => sum + cell.length, 0);
}
