import { Check } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

type CheckboxProps = Omit<ComponentProps<"input">, "type" | "className"> & {
  label: string;
  isLabelHidden?: boolean | undefined;
};

/** A tick, told in ink. Takes what react-hook-form's `register` gives. */
export function Checkbox({ label, isLabelHidden = false, ...input }: CheckboxProps) {
  return (
    <label className="inline-flex cursor-pointer items-center gap-2 max-desk:min-h-10">
      <span className="relative grid size-4 shrink-0 place-items-center">
        <input
          {...input}
          type="checkbox"
          className="peer size-4 cursor-pointer appearance-none rounded-1 border border-control checked:border-ink checked:bg-ink disabled:cursor-not-allowed disabled:opacity-50"
        />
        <Check
          size={12}
          strokeWidth={2.2}
          aria-hidden
          className="pointer-events-none absolute text-pane opacity-0 peer-checked:opacity-100"
        />
      </span>
      <span className={classNames("text-ink-2", isLabelHidden && "sr-only")}>{label}</span>
    </label>
  );
}
