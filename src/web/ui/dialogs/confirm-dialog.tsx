import { Suspense } from "react";
import type { ConfirmDialogProps } from "./confirm-dialog-popup.tsx";
import { lazyPart } from "../page/lazy-part.ts";

const ConfirmDialogPopup = lazyPart(() => import("./confirm-dialog-popup.tsx"));

/** Asks before an action. The caller closes it, also after `onConfirm`. Loads on first use. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Suspense>
      <ConfirmDialogPopup {...props} />
    </Suspense>
  );
}
