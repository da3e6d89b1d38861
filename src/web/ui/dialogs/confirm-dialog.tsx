import { Suspense } from "react";
import type { ConfirmDialogProps } from "./confirm-dialog-popup.tsx";
import { lazyPart } from "../page/lazy-part.ts";

const ConfirmDialogPopup = lazyPart(() => import("./confirm-dialog-popup.tsx"));

/** Asks before something that cannot be taken back. The caller closes it, after `onConfirm` too. Loaded on first use. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Suspense>
      <ConfirmDialogPopup {...props} />
    </Suspense>
  );
}
