import type { AuthFailure } from "../../../api/connection/auth-failure.ts";
import { TextField } from "../../../ui/fields/text-field.tsx";

export function CodeField({ failure }: { failure: AuthFailure | null }) {
  return (
    <TextField
      label="Code"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      className="tnum"
      hint="Six digits. A new code appears every 30 seconds."
      error={failure?.message}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type it
      autoFocus
    />
  );
}
