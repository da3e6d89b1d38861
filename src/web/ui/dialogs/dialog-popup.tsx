import type { FormEventHandler, ReactNode } from "react";
import { Dialog } from "@base-ui/react/dialog";
import { DialogForm } from "./dialog-form.tsx";
import { isToastPress } from "../toasts/toaster.tsx";

export type DialogProps = {
  isOpen: boolean;
  title: string;
  text?: string | undefined;
  onClose: () => void;
  /** Makes the dialog, including the footer, a form. */
  onSubmit?: FormEventHandler<HTMLFormElement> | undefined;
  /** Primary button last. */
  footer?: ReactNode;
  children?: ReactNode;
};

export default function DialogPopup({ isOpen, title, text, onClose, onSubmit, footer, children }: DialogProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open, { event }) => !open && !isToastPress(event) && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-scrim transition-opacity duration-(--d-3) data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed top-1/2 left-1/2 z-20 max-h-[calc(100dvh-24px)] w-[480px] max-w-[calc(100vw-24px)] -translate-1/2 overflow-auto rounded-3 border border-line-strong bg-overlay shadow-sheet transition duration-(--d-3) ease-move outline-none data-ending-style:opacity-0 data-starting-style:-translate-y-[calc(50%-8px)] data-starting-style:opacity-0">
          <DialogForm onSubmit={onSubmit}>
            <div className="grid gap-1.5 px-6 pt-5 pb-4">
              <Dialog.Title className="text-16 wrap-anywhere">{title}</Dialog.Title>
              {text !== undefined && <Dialog.Description className="wrap-anywhere">{text}</Dialog.Description>}
            </div>
            {children !== undefined && <div className="grid gap-5 px-6 pb-5">{children}</div>}
            {footer !== undefined && (
              <div className="flex justify-end gap-2 border-t border-line px-6 py-3">{footer}</div>
            )}
          </DialogForm>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
