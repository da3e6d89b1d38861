/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table's rows cannot be placed one by one */
import type { VirtualItem } from "@tanstack/react-virtual";
import { CircleAlert } from "lucide-react";
import { memo } from "react";
import type { TableProblem } from "#contract/table/table.ts";
import { formatCount } from "../../../../jobs/row/pluralize.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { Icon } from "../../../../ui/page/icon.tsx";
import { tooltip, tooltipWhenCut } from "../../../../ui/page/tooltip.ts";
import type { SheetRow } from "../sheet/sheet.ts";
import { CellEditor, type AfterEdit } from "./cell-editor.tsx";
import { NUMBERS_PX } from "./use-sheet-virtualizer.ts";

export type SheetRowViewProps = {
  cells: SheetRow;
  names: readonly string[];
  problems: readonly TableProblem[];
  /** Index among the shown rows. */
  index: number;
  /** Row of the table, from 1. */
  number: number;
  top: number;
  height: number;
  columns: readonly VirtualItem[];
  /** Null if the active cell is in another row. */
  activeColumn: number | null;
  /** First and last selected column; -1 without a selection. */
  selectedFrom: number;
  selectedTo: number;
  /** The editor's text; null if not editing. */
  edited: string | null;
  onDone: (text: string | null, after: AfterEdit) => void;
};

/** The grid handles keys and clicks. */
export const SheetRowView = memo(function SheetRowView(props: SheetRowViewProps) {
  const { cells, names, problems, index, number, top, height, columns, activeColumn, edited, onDone } = props;
  const ofRow = problems.find(({ column }) => !names.includes(column));
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      className="absolute inset-x-0 flex border-b border-line"
      style={{ top, height }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className={classNames(
          "sticky left-0 z-1 flex shrink-0 items-center justify-end gap-1 border-r border-line bg-overlay px-2 text-12",
          activeColumn === null ? "text-ink-3" : "font-medium text-ink",
        )}
        style={{ width: NUMBERS_PX }}
        {...tooltip(ofRow?.message)}
      >
        {problems.length > 0 && <Icon icon={CircleAlert} size={14} className="mr-auto shrink-0 text-failed" />}
        <span className="tnum">{formatCount(number)}</span>
      </div>
      {columns.map(({ index: column, start, size }) => (
        <Cell
          key={column}
          text={cells[column] ?? ""}
          name={names[column] ?? ""}
          number={number}
          problem={problems.find((problem) => problem.column === names[column])?.message}
          column={column}
          left={start}
          width={size}
          isActive={column === activeColumn}
          isSelected={column >= props.selectedFrom && column <= props.selectedTo}
          edited={column === activeColumn ? edited : null}
          onDone={onDone}
        />
      ))}
    </div>
  );
});

function Cell({
  text,
  name,
  number,
  problem,
  column,
  left,
  width,
  isActive,
  isSelected,
  edited,
  onDone,
}: {
  text: string;
  name: string;
  number: number;
  problem: string | undefined;
  column: number;
  left: number;
  width: number;
  isActive: boolean;
  isSelected: boolean;
  edited: string | null;
  onDone: SheetRowViewProps["onDone"];
}) {
  return (
    <div
      role="gridcell"
      aria-colindex={column + 2}
      aria-selected={isSelected || isActive}
      aria-invalid={problem ? true : undefined}
      data-column={column}
      tabIndex={isActive ? 0 : -1}
      className={classNames(
        "absolute inset-y-0 flex cursor-cell items-center border-r border-line px-2.5 -outline-offset-2 select-none",
        problem ? "bg-failed-tint text-ink" : isSelected && "bg-select",
        problem && "shadow-[inset_2px_0_0_var(--failed)]",
        isActive && "outline-2 outline-control focus:outline-focus",
        edited !== null && "z-2",
      )}
      style={{ left, width }}
      {...(problem ? tooltip(problem) : tooltipWhenCut(text))}
    >
      <span className="min-w-0 truncate text-ink">{oneLine(text)}</span>
      {edited !== null && <CellEditor label={`${name}, row ${number}`} text={edited} onDone={onDone} />}
    </div>
  );
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ¶ ");
}
