import { useCallback, useEffect, useState } from "react";
import { mapColumns, readTable } from "#contract/table/read-table.ts";
import type { RowContext } from "#contract/table/read-rows.ts";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { WideDialog } from "../../../ui/dialogs/wide-dialog.tsx";
import { SheetEditor } from "./sheet-editor.tsx";
import type { Sheet } from "./sheet/sheet.ts";
import { sheetOfRows } from "./sheet/sheet-of-rows.ts";
import type { UndecodedTable } from "./source/undecoded-table.ts";
import { TableSource } from "./source/table-source.tsx";

export type TableStart =
  /** Why a file could not be read. */
  | { kind: "empty"; problem: string | null }
  | { kind: "undecoded"; table: UndecodedTable }
  /** `name`: the file's, if any. */
  | { kind: "text"; text: string; name: string | null }
  | { kind: "rows"; rows: readonly JobRow[] };

export type TableDialogProps = {
  isOpen: boolean;
  start: TableStart;
  context: RowContext;
  /** Number of videos in the form at the opening. */
  listed: number;
  /** Number of videos that the form got since. */
  arrived: number;
  onUse: (rows: JobRow[], isReplacing: boolean) => void;
  onClose: () => void;
  /** Called with true while a table is shown, which must not be replaced. */
  onBusy: (isBusy: boolean) => void;
};

type Opened = { sheet: Sheet; name: string | null } | { problem: string | null } | { undecoded: UndecodedTable };

export default function TableDialog({
  isOpen,
  start,
  context,
  listed,
  arrived,
  onUse,
  onClose,
  onBusy,
}: TableDialogProps) {
  const [opened, setOpened] = useState(() => openStart(start));
  const [isChanged, setIsChanged] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  // The first table wins: a file or sheet may still be loading when another one is shown.
  const show = (next: Opened) => setOpened((was) => ("sheet" in was ? was : next));
  const handleChanged = useCallback((is: boolean) => setIsChanged(is), []);
  const isEditing = start.kind === "rows";
  const isBusy = isOpen && "sheet" in opened;
  useEffect(() => onBusy(isBusy), [isBusy, onBusy]);
  function handleClose() {
    if (isChanged) setIsLeaving(true);
    else onClose();
  }
  return (
    <WideDialog
      isOpen={isOpen}
      title={isEditing ? "Edit table" : "Add a table"}
      hint={"sheet" in opened ? describeSheet(opened.sheet, opened.name) : undefined}
      isDismissedOutside={!isBusy}
      onClose={handleClose}
    >
      {"sheet" in opened ? (
        <SheetEditor
          start={opened.sheet}
          context={context}
          listed={isEditing ? 0 : listed}
          arrived={arrived}
          onUse={(rows, isReplacing) => onUse(rows, isEditing || isReplacing)}
          onClose={handleClose}
          onChanged={handleChanged}
        />
      ) : (
        <TableSource
          problem={"problem" in opened ? opened.problem : null}
          undecoded={"undecoded" in opened ? opened.undecoded : null}
          onText={(text, name) => show(openText(text, name))}
          onProblem={(problem) => show({ problem })}
          onUndecoded={(undecoded) => show({ undecoded })}
        />
      )}
      <ConfirmDialog
        isOpen={isLeaving}
        title="Discard your changes to the table?"
        text="Your changes to the table will be lost. The form does not change."
        confirmLabel="Discard changes"
        cancelLabel="Keep editing"
        onConfirm={() => {
          setIsLeaving(false);
          onClose();
        }}
        onClose={() => setIsLeaving(false)}
      />
    </WideDialog>
  );
}

function openStart(start: TableStart): Opened {
  if (start.kind === "rows") return { sheet: sheetOfRows(start.rows), name: null };
  if (start.kind === "undecoded") return { undecoded: start.table };
  return start.kind === "text" ? openText(start.text, start.name) : { problem: start.problem };
}

function openText(text: string, name: string | null): Opened {
  const { columns, records, problems } = readTable(text);
  const [first] = problems;
  if (first)
    return { problem: first.row === 0 ? first.message : `Row ${first.row}, ${first.column}: ${first.message}` };
  if (records.length === 0) return { problem: "This table has only a header row. Add a row per video." };
  return { sheet: { columns, fields: mapColumns(columns), rows: records }, name };
}

function describeSheet({ columns, rows }: Sheet, name: string | null): string {
  const size = `${pluralize(rows.length, "row")}, ${pluralize(columns.length, "column")}`;
  return name === null ? size : `${name} · ${size}`;
}
