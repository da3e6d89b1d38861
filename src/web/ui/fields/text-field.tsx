import { useId, type ComponentProps } from "react";
import { classNames } from "../class-names.ts";
import { controlClasses, describedBy, edgeClasses, Field, type FieldTexts } from "./field.tsx";

type TextFieldProps = ComponentProps<"input"> & FieldTexts;

/** Accepts react-hook-form's `register` result. */
export function TextField({ label, isLabelHidden, hint, error, id: givenId, className, ...input }: TextFieldProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  return (
    <Field id={id} label={label} isLabelHidden={isLabelHidden} hint={hint} error={error}>
      <input
        type="text"
        {...input}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { hint, error })}
        className={classNames(controlClasses, edgeClasses(error), "h-8 max-desk:h-11 max-desk:text-[16px]", className)}
      />
    </Field>
  );
}

/**
 * A text input without arrows or wheel; the form handles invalid text (onBlur). `isSigned`: phones' numeric keyboards
 * lack a minus sign.
 */
export function NumberField({
  isSigned = false,
  ...props
}: Omit<ComponentProps<typeof TextField>, "type" | "inputMode"> & { isSigned?: boolean }) {
  return <TextField autoComplete="off" {...props} type="text" inputMode={isSigned ? "text" : "numeric"} />;
}
