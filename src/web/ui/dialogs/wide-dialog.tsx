import { Dialog } from "@base-ui/react/dialog";
import { type ReactNode, useRef } from "react";
import { DialogHeader } from "./dialog-header.tsx";
import { isToastPress } from "../toasts/toaster.tsx";

/** Fills the screen except for a margin (none on phones). Part of its content's chunk. */
export function WideDialog({
  isOpen,
  title,
  hint,
  isDismissedOutside = true,
  onClose,
  children,
}: {
  isOpen: boolean;
  title: string;
  /** One line below the title. */
  hint?: string | undefined;
  /** False if a click outside must not close it. */
  isDismissedOutside?: boolean;
  onClose: () => void;
  /** Laid out in a column; one child must grow. */
  children: ReactNode;
}) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root
      open={isOpen}
      disablePointerDismissal={!isDismissedOutside}
      onOpenChange={(open, { event }) => !open && !isToastPress(event) && onClose()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-scrim transition-opacity duration-(--d-3) data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          ref={popup}
          // Otherwise "Close" gets it. On touch, a focused field opens the keyboard.
          initialFocus={(way) => (way === "touch" ? popup.current : (popup.current?.querySelector("textarea") ?? true))}
          className="fixed inset-0 z-20 flex flex-col overflow-hidden bg-overlay transition duration-(--d-3) ease-move outline-none data-ending-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0 desk:inset-4 desk:rounded-3 desk:border desk:border-line-strong desk:shadow-sheet"
        >
          <DialogHeader title={title} hint={hint} />
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
