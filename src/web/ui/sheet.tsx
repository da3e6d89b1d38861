import { Suspense, type FormEventHandler, type ReactNode, type Ref } from "react";
import { lazyPart } from "./lazy-part.ts";

export type SheetProps = {
  isOpen: boolean;
  title: string;
  /** One line below the title. */
  hint?: string | undefined;
  onClose: () => void;
  /** Makes the sheet a form: Enter submits it, and the buttons of the footer belong to it. */
  onSubmit?: FormEventHandler<HTMLFormElement> | undefined;
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  /** Where the focus goes when it closes, if not back to where it came from. */
  returnFocusTo?: (() => HTMLElement | null) | undefined;
  /** The part that scrolls, for a list that draws only what is in sight. */
  bodyRef?: Ref<HTMLDivElement> | undefined;
  children: ReactNode;
};

const SheetPopup = lazyPart(() => import("./sheet-popup.tsx"));

/** A side sheet: fills a phone, stands at the right edge elsewhere. Keeps the focus and gives it back. Loaded on first use. */
export function Sheet(props: SheetProps) {
  return (
    <Suspense>
      <SheetPopup {...props} />
    </Suspense>
  );
}
