import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type SelectProps<Value extends string> = {
  /** Its name for screen readers. */
  label: string;
  options: readonly { value: Value; label: string }[];
  /** Null shows the placeholder. */
  value: Value | null;
  placeholder?: string | undefined;
  onChange: (value: Value) => void;
  /** Clears the choice when its option goes away. Needed wherever options may: the screen then says what was lost. */
  onLost?: (() => void) | undefined;
  /** Shows nothing while there is nothing to choose. */
  isHiddenWhenEmpty?: boolean | undefined;
  /** For a label elsewhere. */
  id?: string | undefined;
  /** Stands before the chosen word, and says the same. */
  glyph?: ReactNode;
  /** Quiet ones have no box until they are pointed at, for a cell of a table. */
  look?: "box" | "quiet" | undefined;
  className?: string | undefined;
};

const LOOKS = {
  box: "h-8 border-line-strong bg-raised px-2.5 text-ink max-desk:h-11 max-desk:text-14",
  quiet: "h-7 border-transparent px-2 text-12 max-desk:h-10",
};

/** The look of the button that opens the list. */
export function selectTriggerClasses({ look = "box", className }: Pick<SelectProps<string>, "look" | "className">) {
  return classNames(
    "inline-flex items-center justify-between gap-2 rounded-2 border text-left font-medium whitespace-nowrap transition-colors hover:bg-raised-2",
    LOOKS[look],
    className,
  );
}
