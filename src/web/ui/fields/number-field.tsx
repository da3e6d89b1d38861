import type { ComponentProps } from "react";
import { TextField } from "./text-field.tsx";

/** Takes text without arrows or wheel. The form handles blank or invalid text (onBlur). */
export function NumberField(props: Omit<ComponentProps<typeof TextField>, "type" | "inputMode">) {
  return <TextField autoComplete="off" {...props} type="text" inputMode="numeric" />;
}
