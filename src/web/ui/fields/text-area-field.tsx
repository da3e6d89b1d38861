import { useId, type ComponentProps } from "react";
import { classNames } from "../class-names.ts";
import { controlClasses, describedBy, edgeClasses, Field, type FieldTexts } from "./field.tsx";

type TextAreaFieldProps = ComponentProps<"textarea"> & FieldTexts;

/** Grows from `rows` to 12 lines; long lines scroll instead of wrapping. */
export function TextAreaField({
  label,
  isLabelHidden,
  hint,
  error,
  id: givenId,
  rows = 3,
  className,
  ...textarea
}: TextAreaFieldProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  return (
    <Field id={id} label={label} isLabelHidden={isLabelHidden} hint={hint} error={error}>
      <textarea
        spellCheck={false}
        {...textarea}
        id={id}
        rows={rows}
        wrap="off"
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { hint, error })}
        className={classNames(
          controlClasses,
          edgeClasses(error),
          "block field-sizing-content max-h-64 resize-none overflow-auto py-1.5 whitespace-pre max-desk:text-[16px] max-desk:leading-[22px]",
          className,
        )}
        // With field-sizing, `rows` alone sets no minimum height.
        style={{ minHeight: `calc(${rows} * 1lh + 14px)` }}
      />
    </Field>
  );
}
