import type { SubmitEvent } from "react";
import type { AuthFailure } from "../../api/auth-failure.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { formText } from "../../ui/form-text.ts";
import { TextField } from "../../ui/text-field.tsx";
import { useAttempt } from "./use-attempt.ts";

/** Asks who has been signed in for a while for the current password; stays open, with the reason, when `submit` fails. */
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
  const { isBusy, failure, attempt, forget } = useAttempt();

  function close() {
    forget();
    onClose();
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    const password = formText(new FormData(event.currentTarget), "current");
    attempt(() => (password ? submit(password) : Promise.resolve(NONE)), close);
  }
  return (
    <Dialog
      isOpen={isOpen}
      title="Enter your password"
      text="So that nobody else can set up a second step on a screen you left open."
      onClose={close}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button look="quiet" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Continue
          </Button>
        </>
      }
    >
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
    </Dialog>
  );
}

const NONE: AuthFailure = { code: "invalid_credentials", message: "Please enter your current password." };
