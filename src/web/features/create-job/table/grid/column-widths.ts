import type { Sheet } from "../sheet/sheet.ts";

const LEAST_PX = 148;
const MOST_PX = 288;
const LETTER_PX = 7;
const EDGES_PX = 28;
const SAMPLE_ROWS = 100;

export function columnWidths({ columns, rows }: Pick<Sheet, "columns" | "rows">): number[] {
  const sample = rows.slice(0, SAMPLE_ROWS);
  return columns.map((name, column) => {
    const letters = sample.reduce((most, cells) => Math.max(most, cells[column]?.length ?? 0), name.length);
    return Math.min(MOST_PX, Math.max(LEAST_PX, letters * LETTER_PX + EDGES_PX));
  });
}
