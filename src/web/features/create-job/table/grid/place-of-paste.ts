import { pluralize } from "../../../../jobs/row/pluralize.ts";
import { type Area, singleText } from "../sheet/sheet.ts";

/** Returns the rows to write, the resulting selection and a notice about cells that did not fit. */
export function placeOfPaste({
  block,
  area,
  shown,
  mostRows,
  columns,
}: {
  block: readonly (readonly string[])[];
  area: Area;
  /** Indexes of the shown rows; null for all, which lets the paste add rows. */
  shown: readonly number[] | null;
  mostRows: number;
  columns: number;
}): { rows: number[]; area: Area; notice: string | null } {
  const isFill = singleText(block) !== null;
  const width = block.reduce((most, line) => Math.max(most, line.length), 0);
  const bottom = isFill ? area.bottom : area.top + block.length - 1;
  const right = isFill ? area.right : area.left + width - 1;
  const lastRow = Math.min(bottom, (shown ? shown.length : mostRows) - 1);
  const lastColumn = Math.min(right, columns - 1);
  const indexes = Array.from({ length: Math.max(0, lastRow - area.top + 1) }, (_, index) => area.top + index);
  return {
    rows: shown ? indexes.map((index) => shown[index]!) : indexes,
    area: { ...area, bottom: lastRow, right: lastColumn },
    notice: describeCut(bottom - lastRow, right - lastColumn),
  };
}

function describeCut(rows: number, columns: number): string | null {
  const parts = [rows > 0 && pluralize(rows, "row"), columns > 0 && pluralize(columns, "column")].filter(Boolean);
  return parts.length === 0 ? null : `${parts.join(" and ")} did not fit and were left out.`;
}
