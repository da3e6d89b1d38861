import { ChevronsUpDown } from "lucide-react";
import { Suspense } from "react";
import { Icon } from "../page/icon.tsx";
import { lazyPart } from "../page/lazy-part.ts";
import { selectTriggerClasses, type SelectProps } from "../select-trigger.ts";
import { useLostChoice } from "./use-lost-choice.ts";

const SelectPopup = lazyPart(() => import("./select-popup.tsx"));

/** Loads the list's code on first use. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  useLostChoice({ label: props.label, options: props.options, value: props.value, onLost: props.onLost });
  if (props.isHiddenWhenEmpty && props.options.length === 0) return null;
  const chosen = props.options.find((option) => option.value === props.value);
  const fallback = (
    // an aria-label without the visible text confuses voice control users
    <button type="button" disabled className={selectTriggerClasses(props)}>
      {props.glyph}
      <span className="truncate">{chosen?.label ?? props.placeholder}</span>
      <Icon icon={ChevronsUpDown} size={14} className="shrink-0 text-ink-3" />
    </button>
  );
  return (
    <Suspense fallback={fallback}>
      <SelectPopup
        {...props}
        value={chosen?.value ?? null}
        // The list returns only given values.
        onChange={(value) => props.onChange(value as Value)}
      />
    </Suspense>
  );
}
