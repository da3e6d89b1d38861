import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";

type SwitchProps = Omit<ComponentProps<"input">, "type" | "role" | "className" | "onKeyDown"> & {
  label: string;
  /** Keeps the label for screen readers where a heading repeats it. */
  isLabelHidden?: boolean | undefined;
};

/** Accepts react-hook-form's `register` result. */
export function Switch({ label, isLabelHidden = false, ...input }: SwitchProps) {
  return (
    <label className="inline-flex items-center gap-2 max-desk:min-h-11">
      <span className={classNames("font-medium text-ink", isLabelHidden && "sr-only")}>{label}</span>
      <input
        {...input}
        type="checkbox"
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Otherwise, Enter would submit the form.
          event.preventDefault();
          event.currentTarget.click();
        }}
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox's own checked state is its aria-checked
        role="switch"
        className="relative h-[18px] w-[30px] shrink-0 cursor-pointer appearance-none rounded-full shadow-[inset_0_0_0_1.5px_var(--control)] transition-colors duration-(--d-2) before:absolute before:top-1 before:left-1 before:size-2.5 before:rounded-full before:bg-control before:transition-transform before:duration-(--d-2) before:ease-move checked:bg-ink checked:shadow-none checked:before:translate-x-3 checked:before:bg-pane disabled:cursor-not-allowed disabled:opacity-50"
      />
    </label>
  );
}
