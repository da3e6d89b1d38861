import type { ComponentProps } from "react";
import { TextField } from "./text-field.tsx";

/**
 * Takes text without arrows or wheel. The form handles blank or invalid text (onBlur). `isSigned` asks phones for a
 * keyboard with a minus sign, which their numeric one lacks.
 */
export function NumberField({
  isSigned = false,
  ...props
}: Omit<ComponentProps<typeof TextField>, "type" | "inputMode"> & { isSigned?: boolean }) {
  return <TextField autoComplete="off" {...props} type="text" inputMode={isSigned ? "text" : "numeric"} />;
}
