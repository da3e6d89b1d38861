import { Suspense } from "react";
import type { SheetProps } from "./sheet-popup.tsx";
import { lazyPart } from "../page/lazy-part.ts";

const SheetPopup = lazyPart(() => import("./sheet-popup.tsx"));

/** Full screen on phones, otherwise at the right edge. Loads on first use. */
export function Sheet(props: SheetProps) {
  return (
    <Suspense>
      <SheetPopup {...props} />
    </Suspense>
  );
}
