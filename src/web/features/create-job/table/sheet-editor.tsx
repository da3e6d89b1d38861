import { CircleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import type { RowContext } from "#contract/table/read-rows.ts";
import type { TableProblem } from "#contract/table/table.ts";
import { formatCount, pluralize } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { keepClear } from "../../../ui/dialogs/keep-clear.ts";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useIsPhone } from "../../../ui/use-is-phone.ts";
import { SheetGrid } from "./grid/sheet-grid.tsx";
import { SheetToolbar } from "./sheet-toolbar.tsx";
import type { Sheet } from "./sheet/sheet.ts";
import { useSheetEditor } from "./use-sheet-editor.ts";

/** A sheet can grow to this; a file may contain more. */
const MOST_ROWS = JOB_LIMITS.videos;

type SheetEditorProps = {
  start: Sheet;
  context: RowContext;
  /** Videos already in the form that the rows are added to; 0 if the rows replace them. */
  listed: number;
  /** Videos that the form got since the opening; they stay. */
  arrived: number;
  /** `isReplacing`: drop the videos in the form. */
  onUse: (rows: JobRow[], isReplacing: boolean) => void;
  onClose: () => void;
  /** Called with true once there are unsaved changes. */
  onChanged: (isChanged: boolean) => void;
};

export function SheetEditor({ start, context, listed, arrived, onUse, onClose, onChanged }: SheetEditorProps) {
  const editor = useSheetEditor(start, context);
  const toast = useToast();
  const isPhone = useIsPhone();
  const [isListOpen, setIsListOpen] = useState(!isPhone);
  const { checked, current, sheet } = editor;
  const { problems, rows } = checked;
  useEffect(() => onChanged(editor.isChanged), [editor.isChanged, onChanged]);
  return (
    <>
      <SheetToolbar editor={editor} isListOpen={isListOpen} onList={setIsListOpen} />
      <div className="flex min-h-0 flex-1 border-y border-line max-desk:flex-col">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <SheetGrid
            sheet={sheet}
            shown={editor.shown}
            check={editor.check}
            selection={editor.selection}
            mostRows={MOST_ROWS}
            onChange={editor.change}
            onUndo={editor.undo}
            onRedo={editor.redo}
            onField={editor.chooseField}
            onNotice={(description) => toast.show({ title: "Cells Pasted", description })}
          />
        </div>
        {isListOpen && problems.length > 0 && <ProblemList problems={problems} current={current} onGo={editor.goTo} />}
      </div>
      <output className="flex min-h-9 items-start gap-1.5 px-6 py-2 text-12 max-desk:px-4">
        {current ? (
          <>
            <Icon icon={CircleAlert} size={14} className="mt-px shrink-0 text-failed" />
            <span className="min-w-0 wrap-anywhere text-ink">
              <b className="font-medium">{describePlace(current)}:</b> {current.message}
            </span>
          </>
        ) : (
          <span className="text-ink-3 max-desk:hidden">
            Enter edits a cell, Alt+Enter starts a new line in it, Tab leaves the table. Copy, paste and undo work as in
            a spreadsheet.
          </span>
        )}
      </output>
      <UseRows
        key={String(checked.invalid.length > 0)}
        rows={rows}
        invalid={checked.invalid.length}
        isUnusable={problems.some(({ row }) => row === 0)}
        listed={listed}
        arrived={arrived}
        onUse={onUse}
        onClose={onClose}
      />
    </>
  );
}

/** Skips rows with problems only if the operator chooses to. */
function UseRows({
  rows,
  invalid,
  isUnusable,
  listed,
  arrived,
  onUse,
  onClose,
}: Pick<SheetEditorProps, "listed" | "arrived" | "onUse" | "onClose"> & {
  rows: JobRow[];
  invalid: number;
  /** The columns have problems. */
  isUnusable: boolean;
}) {
  const [leavesOut, setLeavesOut] = useState(false);
  const [isReplacing, setIsReplacing] = useState(false);
  const total = rows.length + arrived + (isReplacing ? 0 : listed);
  const isTooMany = total > JOB_LIMITS.videos;
  const isReady = rows.length > 0 && !isUnusable && !isTooMany && (invalid === 0 || leavesOut);
  return (
    <footer
      {...keepClear}
      className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line px-6 py-3 max-desk:px-4"
    >
      <div className="mr-auto flex flex-wrap items-center gap-x-4 gap-y-1">
        {invalid > 0 && (
          <Checkbox
            label={`Skip ${pluralize(invalid, "row")} with problems`}
            checked={leavesOut}
            onChange={({ target }) => setLeavesOut(target.checked)}
          />
        )}
        {listed > 0 && (
          <Checkbox
            label={`Replace the ${pluralize(listed, "video")} in the form`}
            checked={isReplacing}
            onChange={({ target }) => setIsReplacing(target.checked)}
          />
        )}
        {invalid > 0 && !leavesOut && (
          <span className="text-12 text-ink-3">
            Correct {invalid === 1 ? "it" : "them"} above, or skip {invalid === 1 ? "it" : "them"}.
          </span>
        )}
        {isTooMany && <span className="text-12 text-failed">A job can have at most 10,000 videos.</span>}
      </div>
      <div className="flex gap-2 max-desk:flex-1 max-desk:*:flex-1">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button look="primary" disabled={!isReady} onClick={() => onUse(rows, isReplacing)}>
          Use {pluralize(invalid === 0 || leavesOut ? rows.length : rows.length + invalid, "row")}
        </Button>
      </div>
    </footer>
  );
}

/** Further problems appear as these are fixed. */
const MOST_SHOWN = 200;

function ProblemList({
  problems,
  current,
  onGo,
}: {
  problems: readonly TableProblem[];
  current: TableProblem | null;
  onGo: (problem: TableProblem) => void;
}) {
  const hidden = problems.length - MOST_SHOWN;
  return (
    <section
      aria-label="Problems"
      className="min-h-0 overflow-auto overscroll-contain border-line max-desk:max-h-44 max-desk:border-t desk:w-72 desk:border-l"
    >
      <ul>
        {problems.slice(0, MOST_SHOWN).map((problem) => (
          <li key={`${problem.row} ${problem.column} ${problem.message}`} className="border-b border-line">
            <button
              type="button"
              aria-current={problem === current || undefined}
              className="grid w-full gap-0.5 px-4 py-2 text-left -outline-offset-2 hover:bg-raised aria-[current]:bg-select"
              onClick={() => onGo(problem)}
            >
              <span className="tnum truncate text-12 font-medium text-ink">{describePlace(problem)}</span>
              <span className="text-12 wrap-anywhere text-ink-2">{problem.message}</span>
            </button>
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className="px-4 py-2 text-12 text-ink-3">and {pluralize(hidden, "more problem")}</p>}
    </section>
  );
}

/** Returns "Row 12 · caption". */
function describePlace({ row, column }: TableProblem): string {
  const place = row === 0 ? "Columns" : `Row ${formatCount(row)}`;
  return column === "" ? place : `${place} · ${column}`;
}
