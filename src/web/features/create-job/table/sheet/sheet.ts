/** Each edit returns a new sheet that shares unchanged rows. */
import type { TableField } from "#contract/table/table.ts";

export type SheetRow = readonly string[];

/** `fields` has each column's use. Every row has `columns.length` cells. */
export type Sheet = {
  columns: readonly string[];
  fields: readonly TableField[];
  rows: readonly SheetRow[];
};

/** Counts from 0. */
export type Place = { row: number; column: number };

/** All edges are inclusive. */
export type Area = { top: number; left: number; bottom: number; right: number };

type Columns = Pick<Area, "left" | "right">;

export function areaOf(from: Place, to: Place): Area {
  return {
    top: Math.min(from.row, to.row),
    left: Math.min(from.column, to.column),
    bottom: Math.max(from.row, to.row),
    right: Math.max(from.column, to.column),
  };
}

export function isSingle({ top, left, bottom, right }: Area): boolean {
  return top === bottom && left === right;
}

/** Returns the same sheet if nothing changed. */
export function setCell(sheet: Sheet, { row, column }: Place, text: string): Sheet {
  const cells = sheet.rows[row];
  if (!cells || cells[column] === undefined || cells[column] === text) return sheet;
  return { ...sheet, rows: sheet.rows.with(row, cells.with(column, text)) };
}

/** `left` and `right` are inclusive. */
export function clearCells(sheet: Sheet, rows: readonly number[], { left, right }: Columns): Sheet {
  return changeRows(sheet, new Set(rows), (cells) =>
    cells.map((cell, column) => (column >= left && column <= right ? "" : cell)),
  );
}

/** A single cell fills `left` to `right`. Adds missing rows at the end; ignores missing columns. */
export function pasteBlock(
  sheet: Sheet,
  rows: readonly number[],
  { left, right }: Columns,
  block: readonly (readonly string[])[],
): Sheet {
  const text = singleText(block);
  const places = new Map(rows.map((row, index) => [row, index]));
  const longer = addRows(sheet, rows.reduce((most, row) => Math.max(most, row + 1), 0) - sheet.rows.length);
  return changeRows(longer, new Set(rows), (cells, row) => {
    const line = block[places.get(row)!] ?? [];
    return cells.map((cell, column) => {
      if (column < left) return cell;
      return (text === null ? line[column - left] : column <= right ? text : cell) ?? cell;
    });
  });
}

/** Returns null unless the block is a single cell. */
export function singleText(block: readonly (readonly string[])[]): string | null {
  return block.length === 1 && block[0]!.length === 1 ? block[0]![0]! : null;
}

export function addRows(sheet: Sheet, count: number): Sheet {
  if (count <= 0) return sheet;
  const empty = Array.from({ length: count }, () => sheet.columns.map(() => ""));
  return { ...sheet, rows: [...sheet.rows, ...empty] };
}

export function removeRows(sheet: Sheet, removed: ReadonlySet<number>): Sheet {
  return { ...sheet, rows: sheet.rows.filter((_, row) => !removed.has(row)) };
}

export function setField(sheet: Sheet, column: number, field: TableField): Sheet {
  return sheet.fields[column] === field ? sheet : { ...sheet, fields: sheet.fields.with(column, field) };
}

/** Unchanged rows keep their identity, so that they are not rechecked. */
function changeRows(
  sheet: Sheet,
  changed: ReadonlySet<number>,
  change: (cells: SheetRow, row: number) => string[],
): Sheet {
  const rows = sheet.rows.map((cells, row) => {
    if (!changed.has(row)) return cells;
    const next = change(cells, row);
    return next.every((cell, column) => cell === cells[column]) ? cells : next;
  });
  return rows.every((row, index) => row === sheet.rows[index]) && rows.length === sheet.rows.length
    ? sheet
    : { ...sheet, rows };
}
