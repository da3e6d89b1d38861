import { Suspense } from "react";
import type { DialogProps } from "./dialog-popup.tsx";
import { lazyPart } from "../page/lazy-part.ts";

const DialogPopup = lazyPart(() => import("./dialog-popup.tsx"));

/** A dialog for a short form or a text to read. Keeps the focus and gives it back. Loaded on first use. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <DialogPopup {...props} />
    </Suspense>
  );
}
