import type { ComponentProps } from "react";
import { TextField } from "./text-field.tsx";

/**
 * Accepts text without arrows or wheel. The form handles blank or invalid text (onBlur). `isSigned` requests a phone
 * keyboard with a minus sign, which the numeric one lacks.
 */
export function NumberField({
  isSigned = false,
  ...props
}: Omit<ComponentProps<typeof TextField>, "type" | "inputMode"> & { isSigned?: boolean }) {
  return <TextField autoComplete="off" {...props} type="text" inputMode={isSigned ? "text" : "numeric"} />;
}
