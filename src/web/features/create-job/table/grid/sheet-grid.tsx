/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table's rows cannot be placed one by one */
import type { VirtualItem } from "@tanstack/react-virtual";
import { memo, useCallback, useEffect, useRef, useState } from "react";
import type { TableField } from "#contract/table/table.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { Select } from "../../../../ui/menus/select.tsx";
import { tooltipWhenCut } from "../../../../ui/page/tooltip.ts";
import { fieldOptions } from "../field-options.ts";
import type { Sheet } from "../sheet/sheet.ts";
import type { AfterEdit } from "./cell-editor.tsx";
import type { SheetGridProps } from "./sheet-grid-props.ts";
import { SheetRowView } from "./sheet-row-view.tsx";
import { useSheetEvents } from "./use-sheet-events.ts";
import { NUMBERS_PX, useSheetVirtualizer } from "./use-sheet-virtualizer.ts";

export function SheetGrid(props: SheetGridProps) {
  const { sheet, shown, check, selection, onField } = props;
  const { columns: names, fields, rows } = sheet;
  const count = shown ? shown.length : rows.length;
  const widths = useColumnWidths(sheet);
  const { scroller, ...grid } = useSheetVirtualizer(count, widths, selection);
  const [edited, setEdited] = useState<string | null>(null);
  const { finishEdit, ...handlers } = useSheetEvents(props, { edited, setEdited });
  const latestFinish = useRef(finishEdit);
  useEffect(() => {
    latestFinish.current = finishEdit;
  });
  const handleDone = useCallback((text: string | null, after: AfterEdit) => latestFinish.current(text, after), []);
  const { active, area } = selection;
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label="Table"
      aria-rowcount={count + 1}
      aria-colcount={names.length + 1}
      aria-multiselectable
      // Safari and Firefox make scroll containers focusable; here the cells are.
      tabIndex={-1}
      className="relative min-h-0 flex-1 overflow-auto overscroll-contain outline-none"
      {...handlers}
    >
      <div role="presentation" className="relative" style={{ height: grid.heightPx, width: grid.widthPx }}>
        <SheetHead names={names} fields={fields} columns={grid.columns} heightPx={grid.headPx} onField={onField} />
        <div role="rowgroup">
          {grid.rows.map(({ index, start }) => {
            const row = shown ? shown[index]! : index;
            const cells = rows[row];
            const isSelected = index >= area.top && index <= area.bottom;
            return (
              cells && (
                <SheetRowView
                  key={row}
                  cells={cells}
                  names={names}
                  problems={check(cells).problems}
                  index={index}
                  number={row + 1}
                  top={start}
                  height={grid.rowPx}
                  columns={grid.columns}
                  activeColumn={index === active.row ? active.column : null}
                  selectedFrom={isSelected ? area.left : -1}
                  selectedTo={isSelected ? area.right : -1}
                  edited={index === active.row ? edited : null}
                  onDone={handleDone}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Widths do not change during edits. */
function useColumnWidths(sheet: Sheet): readonly number[] {
  const [known, setKnown] = useState({ columns: sheet.columns, widths: columnWidths(sheet) });
  if (known.columns === sheet.columns) return known.widths;
  const widths = columnWidths(sheet);
  setKnown({ columns: sheet.columns, widths });
  return widths;
}

const LEAST_PX = 148;
const MOST_PX = 288;
/** With up to three columns, which leave room for whole links. */
const MOST_OF_FEW_PX = 520;
const LETTER_PX = 7;
const EDGES_PX = 28;
const SAMPLE_ROWS = 100;

function columnWidths({ columns, rows }: Pick<Sheet, "columns" | "rows">): number[] {
  const sample = rows.slice(0, SAMPLE_ROWS);
  const mostPx = columns.length <= 3 ? MOST_OF_FEW_PX : MOST_PX;
  return columns.map((name, column) => {
    const letters = sample.reduce((most, cells) => Math.max(most, cells[column]?.length ?? 0), name.length);
    return Math.min(mostPx, Math.max(LEAST_PX, letters * LETTER_PX + EDGES_PX));
  });
}

// oxlint-disable jsx-a11y/prefer-tag-over-role -- as its rows

const SheetHead = memo(function SheetHead({
  names,
  fields,
  columns,
  heightPx,
  onField,
}: {
  names: readonly string[];
  fields: readonly TableField[];
  columns: readonly VirtualItem[];
  heightPx: number;
  onField: (column: number, field: TableField) => void;
}) {
  return (
    <div role="rowgroup" className="sticky top-0 z-3 bg-overlay">
      <div
        role="row"
        aria-rowindex={1}
        className="relative flex border-b border-line-strong"
        style={{ height: heightPx }}
      >
        <div
          role="columnheader"
          aria-colindex={1}
          className="sticky left-0 z-1 flex shrink-0 items-start justify-end border-r border-line bg-overlay px-2 pt-2.5 text-11 font-medium text-ink-3"
          style={{ width: NUMBERS_PX }}
        >
          Row
        </div>
        {columns.map(({ index, start, size }) => (
          <div
            key={index}
            role="columnheader"
            aria-colindex={index + 2}
            className="absolute inset-y-0 grid content-start gap-1 border-r border-line px-1 pt-2"
            style={{ left: start, width: size }}
          >
            <span className="truncate px-1.5 text-12 font-medium text-ink" {...tooltipWhenCut(names[index] ?? "")}>
              {names[index]}
            </span>
            <Select
              label={`Use column ${names[index]} as`}
              look="quiet"
              // Its text stands below the name.
              className={classNames(
                "-ml-[3px] w-[calc(100%+3px)]",
                isUnused(fields[index]) ? "text-ink-3" : "text-ink-2",
              )}
              options={fieldOptions(fields[index])}
              value={fields[index] ?? "pass"}
              onChange={(field) => onField(index, field)}
            />
          </div>
        ))}
      </div>
    </div>
  );
});

function isUnused(field: TableField | undefined): boolean {
  return field === "ignore" || field === "unnamed";
}
