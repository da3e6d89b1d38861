import type { ClipboardEvent, KeyboardEvent, MouseEvent, PointerEvent } from "react";
import { flushSync } from "react-dom";
import { blockOfText, textOfBlock } from "../sheet/block-text.ts";
import { clearCells, isSingle, pasteBlock, type Place, setCell } from "../sheet/sheet.ts";
import type { AfterEdit } from "./cell-editor.tsx";
import { placeOfPaste } from "./place-of-paste.ts";
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
