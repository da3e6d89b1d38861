import { ChevronsUpDown } from "lucide-react";
import { lazy, Suspense } from "react";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";

export type SelectProps<Value extends string> = {
  /** Its name for screen readers. */
  label: string;
  options: readonly { value: Value; label: string }[];
  /** Null shows the placeholder. */
  value: Value | null;
  placeholder?: string | undefined;
  onChange: (value: Value) => void;
  className?: string | undefined;
};

const SelectPopup = lazy(() => import("./select-popup.tsx"));

/** The look of the button that opens the list. */
export function selectTriggerClasses(className: string | undefined): string {
  return classNames(
    "inline-flex h-8 items-center justify-between gap-2 rounded-2 border border-line-strong bg-raised px-2.5 text-left font-medium whitespace-nowrap text-ink transition-colors hover:bg-raised-2 max-desk:h-11 max-desk:text-14",
    className,
  );
}

/** A choice out of a list that opens. The list's code is loaded on first use. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const chosen = props.options.find((option) => option.value === props.value);
  const fallback = (
    // named by what it shows: a hidden name that leaves the visible one out confuses who speaks to the screen
    <button type="button" disabled className={selectTriggerClasses(props.className)}>
      <span className="truncate">{chosen?.label ?? props.placeholder}</span>
      <Icon icon={ChevronsUpDown} size={14} className="shrink-0 text-ink-3" />
    </button>
  );
  return (
    <Suspense fallback={fallback}>
      <SelectPopup
        {...props}
        // The list only ever hands back one of the values it was given.
        onChange={(value) => props.onChange(value as Value)}
      />
    </Suspense>
  );
}
