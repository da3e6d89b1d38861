import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CircleAlert } from "lucide-react";
import { PASSWORD_LIMITS } from "#contract/account.ts";
import { changePassword, sessionsKey } from "../../../api/functions/settings/account.ts";
import type { AuthFailure } from "../../../api/connection/auth-failure.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { formText } from "../../../ui/fields/field.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { AccountRow } from "./account-row.tsx";
import { AttemptDialog } from "../second-step/attempt-dialog.tsx";
import { useLinkedAction } from "../use-linked-action.ts";
import { Icon } from "../../../ui/page/icon.tsx";

/** Other error codes concern neither password. */
const ABOUT_CURRENT = new Set(["invalid_credentials", "reauthentication_needed"]);
const ABOUT_NEW = new Set(["weak_password", "same_password", "validation_failed"]);

export function PasswordRow({ email }: { email: string }) {
  const [isOpen, setIsOpen] = useState(false);
  useLinkedAction("password", () => setIsOpen(true));
  const toast = useToast();
  const client = useQueryClient();

  function handleDone() {
    toast.show({ title: "Password Changed", description: "Other browsers were signed out.", variant: "success" });
    void client.invalidateQueries({ queryKey: sessionsKey });
  }
  return (
    <AccountRow
      title="Password"
      text="Changing your password signs out all other browsers."
      action={<Button onClick={() => setIsOpen(true)}>Change password</Button>}
    >
      <AttemptDialog
        isOpen={isOpen}
        title="Change password"
        action={{ label: "Change password", look: "primary" }}
        submit={(form) => change(formText(form, "current"), formText(form, "new"))}
        onDone={handleDone}
        onClose={() => setIsOpen(false)}
      >
        {(failure) => <PasswordFields email={email} failure={failure} />}
      </AttemptDialog>
    </AccountRow>
  );
}

function PasswordFields({ email, failure }: { email: string; failure: AuthFailure | null }) {
  const isAboutCurrent = ABOUT_CURRENT.has(failure?.code ?? "");
  const isAboutNew = ABOUT_NEW.has(failure?.code ?? "");
  return (
    <>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <TextField
        label="Current password"
        name="current"
        type="password"
        autoComplete="current-password"
        error={isAboutCurrent ? failure?.message : undefined}
      />
      <TextField
        label="New password"
        name="new"
        type="password"
        autoComplete="new-password"
        hint={`At least ${PASSWORD_LIMITS.shortest} characters`}
        error={isAboutNew ? failure?.message : undefined}
      />
      <FormFailure text={isAboutCurrent || isAboutNew ? undefined : failure?.message} />
    </>
  );
}

async function change(current: string, next: string): Promise<AuthFailure | null> {
  if (!current) return { code: "invalid_credentials", message: "Enter your current password." };
  // The server's message; an empty password is not sent.
  if (!next)
    return { code: "weak_password", message: `Passwords need at least ${PASSWORD_LIMITS.shortest} characters.` };
  return changePassword(current, next);
}

function FormFailure({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p role="alert" className="flex items-start gap-1.5 text-12 text-failed">
      <Icon icon={CircleAlert} size={14} className="mt-px shrink-0" />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </p>
  );
}
