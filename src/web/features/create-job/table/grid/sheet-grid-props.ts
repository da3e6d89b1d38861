import type { TableField } from "#contract/table/table.ts";
import type { RowCheck } from "../sheet/check-sheet.ts";
import type { Sheet } from "../sheet/sheet.ts";
import type { CellSelection } from "./use-selection-of-cells.ts";

export type SheetGridProps = {
  sheet: Sheet;
  /** Indexes of rows; null for all. */
  shown: readonly number[] | null;
  check: RowCheck;
  selection: CellSelection;
  /** Maximum. */
  mostRows: number;
  onChange: (next: Sheet) => void;
  onUndo: () => void;
  onRedo: () => void;
  onField: (column: number, field: TableField) => void;
  /** Reports cells that a paste dropped. */
  onNotice: (notice: string) => void;
};
