import { ChevronDown, ChevronUp, CircleAlert, CircleCheck, Plus, Redo2, Trash2, Undo2 } from "lucide-react";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import type { SheetEditorState } from "./use-sheet-editor.ts";

export function SheetToolbar({
  editor,
  isListOpen,
  onList,
}: {
  editor: SheetEditorState;
  isListOpen: boolean;
  onList: (isOpen: boolean) => void;
}) {
  const { checked, selection, sheet, shown } = editor;
  const { problems } = checked;
  const selectedRows = Math.min(selection.area.bottom - selection.area.top + 1, sheet.rows.length);
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-1 px-4 pb-2 max-desk:px-2">
      <div role="toolbar" aria-label="Edit rows" className="flex items-center gap-1">
        <IconButton icon={Undo2} label="Undo (Ctrl+Z)" disabled={!editor.canUndo} onClick={editor.undo} />
        <IconButton icon={Redo2} label="Redo (Ctrl+Y)" disabled={!editor.canRedo} onClick={editor.redo} />
        <Button size="sm" look="quiet" icon={Plus} onClick={editor.addRow}>
          Add row
        </Button>
        <Button size="sm" look="quiet" icon={Trash2} disabled={selectedRows < 1} onClick={editor.removeSelected}>
          Remove {selectedRows > 1 ? pluralize(selectedRows, "row") : "row"}
        </Button>
      </div>
      <div className="ml-auto flex flex-wrap items-center gap-x-2 max-desk:ml-1">
        {(problems.length > 0 || shown) && (
          <Checkbox
            label="Only problem rows"
            checked={shown !== null}
            onChange={({ target }) => editor.showInvalid(target.checked)}
          />
        )}
        {problems.length === 0 ? (
          <output className="inline-flex min-h-7 items-center gap-[5px] px-2 text-12 text-ink-2">
            <Icon icon={CircleCheck} size={14} className="text-completed" />
            No problems
          </output>
        ) : (
          <div role="toolbar" aria-label="Problems" className="flex items-center">
            <Button size="sm" look="quiet" aria-expanded={isListOpen} onClick={() => onList(!isListOpen)}>
              <Icon icon={CircleAlert} size={14} className="text-failed" />
              <span className="tnum text-failed">{pluralize(problems.length, "problem")}</span>
            </Button>
            <IconButton icon={ChevronUp} label="Previous problem" onClick={() => editor.goBeside(-1)} />
            <IconButton icon={ChevronDown} label="Next problem" onClick={() => editor.goBeside(1)} />
          </div>
        )}
      </div>
    </div>
  );
}
