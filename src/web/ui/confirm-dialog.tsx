import { Suspense } from "react";
import { lazyPart } from "./lazy-part.ts";

export type ConfirmDialogProps = {
  isOpen: boolean;
  title: string;
  text: string;
  /** Names the act ("Cancel job"), as the other names what stays ("Keep running"). */
  confirmLabel: string;
  cancelLabel: string;
  isBusy?: boolean | undefined;
  /** Where the focus goes when it closes, if not back to where it came from. */
  returnFocusTo?: (() => HTMLElement | null) | undefined;
  onConfirm: () => void;
  onClose: () => void;
};

const ConfirmDialogPopup = lazyPart(() => import("./confirm-dialog-popup.tsx"));

/** Asks before something that cannot be taken back. The caller closes it, after `onConfirm` too. Loaded on first use. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Suspense>
      <ConfirmDialogPopup {...props} />
    </Suspense>
  );
}
