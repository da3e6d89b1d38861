import { Suspense } from "react";
import type { ConfirmDialogProps } from "./confirm-dialog-popup.tsx";
import { lazyPart } from "../page/lazy-part.ts";

const ConfirmDialogPopup = lazyPart(() => import("./confirm-dialog-popup.tsx"));

/** Confirms an irreversible action. The caller closes it, also after `onConfirm`. Loaded on first use. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Suspense>
      <ConfirmDialogPopup {...props} />
    </Suspense>
  );
}
