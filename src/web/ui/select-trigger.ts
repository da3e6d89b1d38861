import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type SelectProps<Value extends string> = {
  /** For screen readers. */
  label: string;
  options: readonly { value: Value; label: string }[];
  /** Null shows the placeholder. */
  value: Value | null;
  placeholder?: string | undefined;
  onChange: (value: Value) => void;
  /** Clears the choice after a toast. Required wherever options may disappear. */
  onLost?: (() => void) | undefined;
  isHiddenWhenEmpty?: boolean | undefined;
  /** For an external label. */
  id?: string | undefined;
  /** Precedes the selected text and repeats its meaning. */
  glyph?: ReactNode;
  /** "quiet" has no border, for table cells. */
  look?: "box" | "quiet" | undefined;
  className?: string | undefined;
};

const LOOKS = {
  box: "h-8 border-line-strong bg-raised px-2.5 text-ink max-desk:h-11 max-desk:text-14",
  quiet: "h-7 border-transparent px-2 text-12 max-desk:h-11",
};

/** Also for the placeholder while the list's code loads. */
export function selectTriggerClasses({ look = "box", className }: Pick<SelectProps<string>, "look" | "className">) {
  return classNames(
    "inline-flex items-center justify-between gap-2 rounded-2 border text-left font-medium whitespace-nowrap transition-colors hover:bg-raised-2",
    LOOKS[look],
    className,
  );
}
