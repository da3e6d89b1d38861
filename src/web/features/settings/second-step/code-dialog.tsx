import type { ComponentProps, ReactNode } from "react";
import type { AuthFailure } from "../../../api/connection/auth-failure.ts";
import { formText } from "../../../ui/fields/field.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { AttemptDialog } from "./attempt-dialog.tsx";

type Props = Omit<ComponentProps<typeof AttemptDialog>, "submit" | "children"> & {
  submit: (code: string) => Promise<AuthFailure | null>;
  children?: ReactNode;
};

/** Stays open with the reason if `submit` fails. */
export function CodeDialog({ submit, children, ...dialog }: Props) {
  return (
    <AttemptDialog {...dialog} submit={(form) => submit(formText(form, "code"))}>
      {(failure) => (
        <>
          {children}
          <CodeField failure={failure} />
        </>
      )}
    </AttemptDialog>
  );
}

function CodeField({ failure }: { failure: AuthFailure | null }) {
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
