import type { ComponentProps, ReactNode } from "react";
import type { AuthFailure } from "../../../api/connection/auth-failure.ts";
import { formText } from "../../../ui/fields/form-text.ts";
import { AttemptDialog } from "./attempt-dialog.tsx";
import { CodeField } from "./code-field.tsx";

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
