import { useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { PASSWORD_LIMITS } from "#contract/account.ts";
import { changePassword } from "../../api/account.ts";
import type { AuthFailure } from "../../api/auth-failure.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { formText } from "../../ui/form-text.ts";
import { TextField } from "../../ui/text-field.tsx";
import { useToast } from "../../ui/use-toast.ts";
import { sessionsKey } from "./account-keys.ts";
import { AccountRow } from "./account-row.tsx";
import { FormFailure } from "./form-failure.tsx";
import { useAttempt } from "./use-attempt.ts";

/** What the server says of the current password, and of the new one. Anything else is about neither. */
const ABOUT_CURRENT = new Set(["invalid_credentials", "reauthentication_needed"]);
const ABOUT_NEW = new Set(["weak_password", "same_password", "validation_failed"]);

export function PasswordRow({ email }: { email: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { isBusy, failure, attempt, forget } = useAttempt();
  const toast = useToast();
  const client = useQueryClient();
  const code = failure?.code ?? "";

  function open() {
    forget();
    setIsOpen(true);
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    const form = new FormData(event.currentTarget);
    attempt(
      () => change(formText(form, "current"), formText(form, "new")),
      () => {
        setIsOpen(false);
        toast.show({ title: "Password Changed", description: "Other browsers were signed out.", variant: "success" });
        void client.invalidateQueries({ queryKey: sessionsKey });
      },
    );
  }
  return (
    <AccountRow
      title="Password"
      text="Changing it signs out every other browser."
      action={<Button onClick={open}>Change password</Button>}
    >
      <Dialog
        isOpen={isOpen}
        title="Change password"
        onClose={() => setIsOpen(false)}
        onSubmit={handleSubmit}
        footer={
          <>
            <Button look="quiet" onClick={() => setIsOpen(false)}>
              Cancel
            </Button>
            <Button type="submit" look="primary" isBusy={isBusy}>
              Change password
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
          error={ABOUT_CURRENT.has(code) ? failure?.message : undefined}
        />
        <TextField
          label="New password"
          name="new"
          type="password"
          autoComplete="new-password"
          hint={`At least ${PASSWORD_LIMITS.shortest} characters`}
          error={ABOUT_NEW.has(code) ? failure?.message : undefined}
        />
        <FormFailure text={ABOUT_CURRENT.has(code) || ABOUT_NEW.has(code) ? undefined : failure?.message} />
      </Dialog>
    </AccountRow>
  );
}

async function change(current: string, next: string): Promise<AuthFailure | null> {
  if (!current) return { code: "invalid_credentials", message: "Please enter your current password." };
  // The server's sentence; it never hears of a password that is empty.
  if (!next)
    return { code: "weak_password", message: `A password needs at least ${PASSWORD_LIMITS.shortest} characters.` };
  return changePassword(current, next);
}
