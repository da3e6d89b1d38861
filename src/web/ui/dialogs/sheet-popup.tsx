import { type FormEventHandler, type ReactNode, type Ref, useRef } from "react";
import { Dialog } from "@base-ui/react/dialog";
import { DialogForm } from "./dialog-form.tsx";
import { DialogHeader } from "./dialog-header.tsx";
import { isToastPress } from "../toasts/toaster.tsx";
import { keepClear } from "./keep-clear.ts";

export type SheetProps = {
  isOpen: boolean;
  title: string;
  /** One line below the title. */
  hint?: string | undefined;
  onClose: () => void;
  /** Makes the sheet, including the footer, a form. */
  onSubmit?: FormEventHandler<HTMLFormElement> | undefined;
  /** Primary button last. */
  footer?: ReactNode;
  /** Gets focus on close instead of the previous element. */
  returnFocusTo?: (() => HTMLElement | null) | undefined;
  /** The scrolling element, for virtualized lists. */
  bodyRef?: Ref<HTMLDivElement> | undefined;
  children: ReactNode;
};

const FIELDS = "input, textarea, [role=combobox]";

export default function SheetPopup({
  isOpen,
  title,
  hint,
  onClose,
  onSubmit,
  footer,
  returnFocusTo,
  bodyRef,
  children,
}: SheetProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open, { event }) => !open && !isToastPress(event) && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-scrim transition-opacity duration-(--d-3) data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          ref={popup}
          // Otherwise "Close" gets it. On touch, a focused field opens the keyboard.
          initialFocus={
            onSubmit && ((way) => (way === "touch" ? popup.current : (popup.current?.querySelector(FIELDS) ?? true)))
          }
          finalFocus={returnFocusTo && (() => returnFocusTo() ?? true)}
          className="fixed inset-y-0 right-0 z-20 w-full bg-overlay transition duration-(--d-3) ease-move outline-none desk:inset-y-2 desk:right-2 desk:w-[432px] desk:rounded-3 desk:border desk:border-line-strong desk:shadow-sheet data-ending-style:translate-x-2 data-ending-style:opacity-0 data-starting-style:translate-x-2 data-starting-style:opacity-0"
        >
          <DialogForm className="flex h-full flex-col" onSubmit={onSubmit}>
            <DialogHeader title={title} hint={hint} />
            <div ref={bodyRef} className="grid flex-1 content-start gap-5 overflow-auto px-6 py-3 max-desk:px-4">
              {children}
            </div>
            {footer !== undefined && (
              <footer
                {...keepClear}
                className="flex justify-end gap-2 border-t border-line px-6 py-3 max-desk:px-4 max-desk:*:flex-1"
              >
                {footer}
              </footer>
            )}
          </DialogForm>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
