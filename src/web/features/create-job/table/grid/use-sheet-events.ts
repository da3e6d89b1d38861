import type { ClipboardEvent, KeyboardEvent, MouseEvent, PointerEvent } from "react";
import { flushSync } from "react-dom";
import { pluralize } from "../../../../jobs/row/pluralize.ts";
import { blockOfText, textOfBlock } from "../sheet/block-text.ts";
import { type Area, clearCells, isSingle, pasteBlock, type Place, setCell, singleText } from "../sheet/sheet.ts";
import type { AfterEdit } from "./cell-editor.tsx";
import { readSheetKey, type Step } from "./read-sheet-key.ts";
import type { SheetGridProps } from "./sheet-grid-props.ts";

const STEPS: Readonly<Record<Exclude<AfterEdit, "stay">, Step>> = {
  down: { rows: 1, columns: 0 },
  up: { rows: -1, columns: 0 },
  right: { rows: 0, columns: 1 },
  left: { rows: 0, columns: -1 },
};

export function useSheetEvents(
  { sheet, shown, selection, mostRows, onChange, onUndo, onRedo, onNotice }: SheetGridProps,
  { edited, setEdited }: { edited: string | null; setEdited: (text: string | null) => void },
) {
  const { active, area } = selection;
  const count = shown ? shown.length : sheet.rows.length;
  const rowAt = (index: number) => (shown ? shown[index]! : index);
  const selectedRows = () => range(area.top, Math.min(area.bottom, count - 1)).map(rowAt);

  function finishEdit(text: string | null, after: AfterEdit) {
    setEdited(null);
    if (text !== null) onChange(setCell(sheet, { row: rowAt(active.row), column: active.column }, text));
    if (after !== "stay") selection.move(STEPS[after]);
    // Null means Escape. Otherwise the click has moved the focus.
    else if (text === null) selection.select(active);
  }
  function edit(keepsText: boolean) {
    const text = sheet.rows[rowAt(active.row)]?.[active.column];
    // Focuses the editor before the key inserts its character.
    if (text !== undefined) flushSync(() => setEdited(keepsText ? text : ""));
  }
  function onKeyDown(event: KeyboardEvent) {
    if (edited !== null || !isInCell(event.target)) return;
    const act = readSheetKey(event);
    if (!act) return;
    if (act.kind === "collapse" && isSingle(area)) return;
    if (act.kind === "edit" && !act.keepsText) return edit(false);
    event.preventDefault();
    event.stopPropagation();
    switch (act.kind) {
      case "move":
        return selection.move(act.step, act.isExtending);
      case "edit":
        return edit(true);
      case "clear":
        return onChange(clearCells(sheet, selectedRows(), area));
      case "all":
        return selection.selectArea({ top: 0, left: 0, bottom: count - 1, right: sheet.columns.length - 1 });
      case "undo":
        return onUndo();
      case "redo":
        return onRedo();
      case "collapse":
        return selection.select(active);
    }
  }
  function onPointerDown(event: PointerEvent) {
    const place = placeOf(event.target);
    if (!place || event.button !== 0 || event.pointerType === "touch") return;
    endEdit(edited);
    selection.select(place, event.shiftKey);
  }
  function onPointerMove(event: PointerEvent) {
    if (event.buttons !== 1 || event.pointerType === "touch" || edited !== null) return;
    const place = placeOf(event.target);
    if (place && (place.row !== active.row || place.column !== active.column)) selection.select(place, true);
  }
  /** On touch, dragging scrolls; the first tap selects a cell, the second edits it. */
  function onClick({ target, nativeEvent }: MouseEvent) {
    const place = placeOf(target);
    if (!place || !("pointerType" in nativeEvent) || nativeEvent.pointerType !== "touch") return;
    endEdit(edited);
    if (place.row === active.row && place.column === active.column) edit(true);
    else selection.select(place);
  }
  function onDoubleClick({ target }: MouseEvent) {
    if (edited === null && placeOf(target)) edit(true);
  }
  function onCopy(event: ClipboardEvent) {
    if (!isInCell(event.target)) return;
    event.preventDefault();
    const block = selectedRows().map((row) => sheet.rows[row]!.slice(area.left, area.right + 1));
    event.clipboardData.setData("text/plain", textOfBlock(block));
  }
  function onCut(event: ClipboardEvent) {
    if (!isInCell(event.target)) return;
    onCopy(event);
    onChange(clearCells(sheet, selectedRows(), area));
  }
  function onPaste(event: ClipboardEvent) {
    if (!isInCell(event.target)) return;
    event.preventDefault();
    const block = blockOfText(event.clipboardData.getData("text/plain"));
    const place = placeOfPaste({ block, area, shown, mostRows, columns: sheet.columns.length });
    onChange(pasteBlock(sheet, place.rows, area, block));
    selection.selectArea(place.area);
    if (place.notice !== null) onNotice(place.notice);
  }
  return { finishEdit, onKeyDown, onPointerDown, onPointerMove, onClick, onDoubleClick, onCopy, onCut, onPaste };
}

/** Commits the text; otherwise the editor would move to the next selected cell. */
function endEdit(edited: string | null): void {
  if (edited !== null && document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

function isInCell(target: EventTarget): boolean {
  return target instanceof Element && target.closest("[data-column]") !== null;
}

function placeOf(target: EventTarget): Place | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-column]") : null;
  const row = cell?.closest<HTMLElement>("[data-row]");
  return cell && row ? { row: Number(row.dataset.row), column: Number(cell.dataset.column) } : null;
}

function range(from: number, until: number): number[] {
  return Array.from({ length: Math.max(0, until - from + 1) }, (_, index) => from + index);
}

/** Returns the rows to write, the resulting selection and a notice about cells that did not fit. */
function placeOfPaste({
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
