import { Suspense } from "react";
import type { SheetProps } from "./sheet-popup.tsx";
import { lazyPart } from "../page/lazy-part.ts";

const SheetPopup = lazyPart(() => import("./sheet-popup.tsx"));

/** A side sheet: fills a phone, stands at the right edge elsewhere. Keeps the focus and gives it back. Loaded on first use. */
export function Sheet(props: SheetProps) {
  return (
    <Suspense>
      <SheetPopup {...props} />
    </Suspense>
  );
}
