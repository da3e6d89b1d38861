import { Suspense, type FormEventHandler, type ReactNode } from "react";
import { lazyPart } from "./lazy-part.ts";

export type DialogProps = {
  isOpen: boolean;
  title: string;
  /** One sentence below the title. */
  text?: string | undefined;
  onClose: () => void;
  /** Makes the dialog a form: Enter submits it, and the buttons of the footer belong to it. */
  onSubmit?: FormEventHandler<HTMLFormElement> | undefined;
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  children?: ReactNode;
};

const DialogPopup = lazyPart(() => import("./dialog-popup.tsx"));

/** A dialog for a short form or a text to read. Keeps the focus and gives it back. Loaded on first use. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <DialogPopup {...props} />
    </Suspense>
  );
}
