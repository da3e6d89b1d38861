import { Suspense } from "react";
import type { SheetProps } from "./sheet-popup.tsx";
import { lazyPart } from "../page/lazy-part.ts";

const SheetPopup = lazyPart(() => import("./sheet-popup.tsx"));

/** Fills a phone, otherwise at the right edge. Traps the focus and restores it. Loaded on first use. */
export function Sheet(props: SheetProps) {
  return (
    <Suspense>
      <SheetPopup {...props} />
    </Suspense>
  );
}
