import { AlertDialog } from "@base-ui/react/alert-dialog";
import { Button } from "../buttons/button.tsx";

export type ConfirmDialogProps = {
  isOpen: boolean;
  title: string;
  text: string;
  /** Names the action ("Cancel job"), unlike the alternative ("Keep running"). */
  confirmLabel: string;
  cancelLabel: string;
  /** False for what can be undone or repeated. */
  isDangerous?: boolean | undefined;
  isBusy?: boolean | undefined;
  /** Gets focus on close instead of the previous element. */
  returnFocusTo?: (() => HTMLElement | null) | undefined;
  onConfirm: () => void;
  onClose: () => void;
};

export default function ConfirmDialogPopup({
  isOpen,
  title,
  text,
  confirmLabel,
  cancelLabel,
  isDangerous = true,
  isBusy,
  returnFocusTo,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        {/* Also covers a sheet. */}
        <AlertDialog.Backdrop
          forceRender
          className="fixed inset-0 z-20 bg-scrim transition-opacity duration-(--d-3) data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <AlertDialog.Popup
          finalFocus={returnFocusTo && (() => returnFocusTo() ?? true)}
          className="fixed top-1/2 left-1/2 z-20 w-[400px] max-w-[calc(100vw-24px)] -translate-1/2 rounded-3 border border-line-strong bg-overlay shadow-sheet transition duration-(--d-3) ease-move outline-none data-ending-style:opacity-0 data-starting-style:-translate-y-[calc(50%-8px)] data-starting-style:opacity-0"
        >
          <div className="grid gap-1.5 px-6 py-5">
            <AlertDialog.Title className="text-16 wrap-anywhere">{title}</AlertDialog.Title>
            <AlertDialog.Description className="wrap-anywhere">{text}</AlertDialog.Description>
          </div>
          <div className="flex justify-end gap-2 border-t border-line px-6 py-3">
            <Button look="quiet" onClick={onClose}>
              {cancelLabel}
            </Button>
            <Button look={isDangerous ? "danger" : "primary"} isBusy={isBusy} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
