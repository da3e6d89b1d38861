import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  type Account,
  enrollSecondStep,
  type NewSecondStep,
  accountKey,
  sessionsKey,
} from "../../../api/functions/settings/account.ts";
import type { AuthFailure } from "../../../api/connection/auth-failure.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { AccountRow } from "../account/account-row.tsx";
import { AddSecondStepDialog } from "./add-second-step-dialog.tsx";
import { ConfirmPasswordDialog } from "../account/confirm-password-dialog.tsx";
import { RemoveSecondStepDialog } from "./remove-second-step-dialog.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";

const NAME = "Authenticator app";

type SecondSteps = Account["secondSteps"];

export function SecondStepRow({ email, secondSteps }: Pick<Account, "email" | "secondSteps">) {
  const [added, setAdded] = useState<NewSecondStep | null>(null);
  const [isPasswordAsked, setIsPasswordAsked] = useState(false);
  const [removed, setRemoved] = useState<SecondSteps[number] | null>(null);
  const { isBusy, run } = useExclusiveAction();
  const toast = useToast();
  const client = useQueryClient();

  async function enrol() {
    const failure = await startEnrollment();
    if (failure?.code === "reauthentication_needed") setIsPasswordAsked(true);
    else if (failure) toast.show({ title: "Error", description: failure.message, variant: "destructive" });
  }
  async function startEnrollment(currentPassword?: string): Promise<AuthFailure | null> {
    const result = await enrollSecondStep(freeName(secondSteps), currentPassword);
    if (!("uri" in result)) return result;
    setAdded(result);
    return null;
  }
  function refresh() {
    void client.invalidateQueries({ queryKey: accountKey });
    void client.invalidateQueries({ queryKey: sessionsKey });
  }
  return (
    <AccountRow
      title="Second step"
      text={
        secondSteps.length === 0
          ? "Off. Add an authenticator app to require a code as well as your password."
          : "On. Signing in requires your password and a code."
      }
      action={
        <Button isBusy={isBusy} onClick={() => void run(enrol)}>
          {secondSteps.length === 0 ? "Set up" : "Add another"}
        </Button>
      }
    >
      {secondSteps.length > 0 && (
        <ul className="grid gap-1">
          {secondSteps.map((step) => (
            <li key={step.id} className="flex min-h-8 items-center gap-3">
              <span className="min-w-0 flex-1 truncate text-ink">{step.name || NAME}</span>
              <span className="tnum text-12 text-ink-3">{formatShortDate(step.since)}</span>
              <Button
                look="quiet"
                size="sm"
                aria-label={`Remove ${step.name || NAME}`}
                onClick={() => setRemoved(step)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ConfirmPasswordDialog
        isOpen={isPasswordAsked}
        email={email}
        submit={startEnrollment}
        onClose={() => setIsPasswordAsked(false)}
      />
      <AddSecondStepDialog step={added} onClose={() => setAdded(null)} onDone={refresh} />
      <RemoveSecondStepDialog step={removed} onClose={() => setRemoved(null)} onDone={refresh} />
    </AccountRow>
  );
}

function freeName(secondSteps: SecondSteps): string {
  const taken = new Set(secondSteps.map((step) => step.name));
  let name = NAME;
  for (let number = 2; taken.has(name); number += 1) name = `${NAME} ${number}`;
  return name;
}
