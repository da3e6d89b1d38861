/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table's rows cannot be placed one by one */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Sheet } from "../sheet/sheet.ts";
import type { AfterEdit } from "./cell-editor.tsx";
import { columnWidths } from "./column-widths.ts";
import type { SheetGridProps } from "./sheet-grid-props.ts";
import { SheetHead } from "./sheet-head.tsx";
import { SheetRowView } from "./sheet-row-view.tsx";
import { useSheetEvents } from "./use-sheet-events.ts";
import { useSheetVirtualizer } from "./use-sheet-virtualizer.ts";

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
      className="relative min-h-0 flex-1 overflow-auto overscroll-contain border-y border-line outline-none"
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
