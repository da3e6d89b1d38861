import { Suspense } from "react";
import type { DialogProps } from "./dialog-popup.tsx";
import { lazyPart } from "../page/lazy-part.ts";

const DialogPopup = lazyPart(() => import("./dialog-popup.tsx"));

/** Loads on first use. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <DialogPopup {...props} />
    </Suspense>
  );
}
