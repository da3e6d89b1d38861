import { Check, Minus } from "lucide-react";
import { useEffect, useRef, type ComponentProps } from "react";
import { classNames } from "../class-names.ts";

type CheckboxProps = Omit<ComponentProps<"input">, "type" | "className"> & {
  label: string;
  isLabelHidden?: boolean | undefined;
  /** Only partly checked. */
  isMixed?: boolean | undefined;
};

/** Accepts react-hook-form's `register` result. */
export function Checkbox({ label, isLabelHidden = false, isMixed, ...input }: CheckboxProps) {
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = box.current?.querySelector("input");
    if (element && isMixed !== undefined) element.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <label className="inline-flex cursor-pointer items-center gap-2 max-desk:min-h-11">
      <span ref={box} className="relative grid size-4 shrink-0 place-items-center">
        <input
          {...input}
          type="checkbox"
          className="peer size-4 cursor-pointer appearance-none rounded-1 border border-control checked:border-ink checked:bg-ink indeterminate:border-ink indeterminate:bg-ink disabled:cursor-not-allowed disabled:opacity-50"
        />
        <Check
          size={12}
          strokeWidth={2.2}
          aria-hidden
          className={`${GLYPH} peer-[:checked:not(:indeterminate)]:opacity-100`}
        />
        {isMixed !== undefined && (
          <Minus size={12} strokeWidth={2.2} aria-hidden className={`${GLYPH} peer-indeterminate:opacity-100`} />
        )}
      </span>
      <span className={classNames("text-ink-2", isLabelHidden && "sr-only")}>{label}</span>
    </label>
  );
}

const GLYPH = "pointer-events-none absolute text-pane opacity-0";
