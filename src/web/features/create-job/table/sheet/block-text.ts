/** Cells on the clipboard, as spreadsheets write them: rows on lines, cells between tabs. Pure. */
import { parse } from "csv-parse/browser/esm/sync";

/** Quotes cells with a tab, a line break or a quotation mark at the start. */
export function textOfBlock(block: readonly (readonly string[])[]): string {
  return block.map((line) => line.map(quote).join("\t")).join("\n");
}

function quote(cell: string): string {
  return /[\t\n\r]|^"/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Returns at least one cell. Text with a quotation mark that is not closed is split as it is. */
export function blockOfText(text: string): string[][] {
  const lines = readCells(text);
  return lines.length === 0 ? [[""]] : lines;
}

function readCells(text: string): string[][] {
  try {
    return parse(text, { delimiter: "\t", relaxColumnCount: true, relaxQuotes: true });
  } catch {
    return text.split(/\r\n|\r|\n/).map((line) => line.split("\t"));
  }
}
