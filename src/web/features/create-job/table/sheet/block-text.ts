import { parse } from "csv-parse/browser/esm/sync";

/** Separates cells with tabs. Quotes cells that contain a tab or line break or start with a quotation mark. */
export function textOfBlock(block: readonly (readonly string[])[]): string {
  return block.map((line) => line.map(quote).join("\t")).join("\n");
}

function quote(cell: string): string {
  return /[\t\n\r]|^"/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Returns at least one cell. Keeps quotes literal if one is left open. */
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
