import { Button } from "../ui/buttons/button.tsx";
import { ConfirmDialog } from "../ui/dialogs/confirm-dialog.tsx";
import type { SheetProps } from "../ui/dialogs/sheet-popup.tsx";
import { Sheet } from "../ui/dialogs/sheet.tsx";
import { ErrorBox } from "../ui/states/error-box.tsx";
import { WarningNote } from "../ui/states/warning-note.tsx";
import { useLeaveConfirmation } from "./use-leave-confirmation.ts";

type EditorSheetProps = Omit<SheetProps, "footer" | "bodyRef"> & {
  /** For example, "connection". */
  noun: string;
  saveLabel: string;
  /** True if closing loses input. */
  isDirty: boolean;
  isBusy: boolean;
  /** A change elsewhere since opening. */
  note?: string | null;
  failure: string | null;
};

/** Confirms before discarding unsaved changes. */
export function EditorSheet({
  noun,
  saveLabel,
  isDirty,
  isBusy,
  note = null,
  failure,
  isOpen,
  onClose,
  children,
  ...sheet
}: EditorSheetProps) {
  const leave = useLeaveConfirmation(isOpen && isDirty, onClose);
  return (
    <Sheet
      {...sheet}
      isOpen={isOpen}
      onClose={leave.ask}
      footer={
        <>
          <Button look="quiet" onClick={leave.ask}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {saveLabel}
          </Button>
        </>
      }
    >
      {note !== null && (
        <div role="alert">
          <WarningNote text={note} />
        </div>
      )}
      {children}
      {failure !== null && (
        <div role="alert">
          <ErrorBox text={failure} />
        </div>
      )}
      <ConfirmDialog
        isOpen={leave.isAsking}
        title="Discard changes?"
        text={`Your changes to this ${noun} won't be saved.`}
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={leave.confirm}
        onClose={leave.stay}
      />
    </Sheet>
  );
}
