import type { AuthFailure } from "../../../api/connection/auth-failure.ts";
import { isFromProvider, signInAtProvider } from "../../../api/connection/session.ts";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { formText } from "../../../ui/fields/field.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { AttemptDialog } from "../second-step/attempt-dialog.tsx";

const REASON = "Confirm that it's you before you set up a second step.";

/** For sign-ins that are not recent. Stays open with the reason if `submit` fails. */
export function ConfirmPasswordDialog({
  isOpen,
  email,
  submit,
  onClose,
}: {
  isOpen: boolean;
  email: string;
  submit: (password: string) => Promise<AuthFailure | null>;
  onClose: () => void;
}) {
  if (isFromProvider()) {
    return (
      <ConfirmDialog
        isOpen={isOpen}
        title="Sign in again"
        text={REASON}
        confirmLabel="Sign in again"
        cancelLabel="Cancel"
        isDangerous={false}
        onConfirm={() => signInAtProvider({ isProof: true })}
        onClose={onClose}
      />
    );
  }
  return (
    <AttemptDialog
      isOpen={isOpen}
      title="Enter your password"
      text={REASON}
      action={{ label: "Continue", look: "primary" }}
      submit={(form) => {
        const password = formText(form, "current");
        return password ? submit(password) : Promise.resolve(NONE);
      }}
      onClose={onClose}
    >
      {(failure) => (
        <>
          <input type="hidden" name="username" autoComplete="username" value={email} />
          <TextField
            label="Current password"
            name="current"
            type="password"
            autoComplete="current-password"
            error={failure?.message}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type it
            autoFocus
          />
        </>
      )}
    </AttemptDialog>
  );
}

const NONE: AuthFailure = { code: "invalid_credentials", message: "Enter your current password." };
