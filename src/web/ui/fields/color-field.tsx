import { useId } from "react";
import { classNames } from "../class-names.ts";
import { controlClasses, describedBy, edgeClasses, Field } from "./field.tsx";

/** Text with the browser's color picker, which keeps the opacity. */
export function ColorField({
  label,
  value,
  color,
  hint,
  error,
  onChange,
  onBlur,
}: {
  label: string;
  /** As typed. */
  value: string;
  /** The resulting color: `#rrggbb` or `#rrggbbaa`. */
  color: string;
  hint?: string | undefined;
  error?: string | undefined;
  onChange: (value: string) => void;
  onBlur: () => void;
}) {
  const id = useId();
  const opaque = color.slice(0, 7);
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <div className="relative">
        <input
          id={id}
          type="text"
          value={value}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { hint, error })}
          className={classNames(
            controlClasses,
            edgeClasses(error),
            "raw tnum h-8 pl-9.5 max-desk:h-11 max-desk:pl-12 max-desk:text-[16px]",
          )}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
        <input
          type="color"
          aria-label={`${label} picker`}
          value={opaque}
          className="absolute top-1 left-1 size-6 cursor-pointer appearance-none rounded-[4px] border-0 bg-transparent p-0.5 max-desk:size-9 [&::-moz-color-swatch]:rounded-[3px] [&::-moz-color-swatch]:border [&::-moz-color-swatch]:border-control [&::-webkit-color-swatch]:rounded-[3px] [&::-webkit-color-swatch]:border [&::-webkit-color-swatch]:border-control [&::-webkit-color-swatch-wrapper]:p-0"
          onChange={(event) => onChange(event.target.value + color.slice(7))}
        />
      </div>
    </Field>
  );
}
