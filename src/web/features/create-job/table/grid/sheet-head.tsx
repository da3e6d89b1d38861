/* oxlint-disable jsx-a11y/prefer-tag-over-role -- as its rows */
import type { VirtualItem } from "@tanstack/react-virtual";
import { memo } from "react";
import type { TableField } from "#contract/table/table.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { Select } from "../../../../ui/menus/select.tsx";
import { tooltipWhenCut } from "../../../../ui/page/tooltip.ts";
import { fieldOptions } from "../field-options.ts";
import { NUMBERS_PX } from "./use-sheet-virtualizer.ts";

export const SheetHead = memo(function SheetHead({
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
              className={classNames("w-full px-1.5", isUnused(fields[index]) ? "text-ink-3" : "text-ink-2")}
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
