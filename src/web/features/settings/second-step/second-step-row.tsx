import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import type { AuthFailure } from "../../../api/connection/auth-failure.ts";
import {
  type Account,
  accountKey,
  enrollSecondStep,
  type NewSecondStep,
  removeSecondStep,
  sessionsKey,
  verifyCode,
} from "../../../api/functions/settings/account.ts";
import { isFromProvider } from "../../../api/connection/session.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { useCopy } from "../../../ui/buttons/use-copy.ts";
import { lazyPart } from "../../../ui/page/lazy-part.ts";
import { freeName } from "../../../ui/text/free-name.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { AccountRow } from "../account/account-row.tsx";
import { ConfirmPasswordDialog } from "../account/confirm-password-dialog.tsx";
import { useLastValue } from "../use-last-value.ts";
import { CodeDialog } from "./code-dialog.tsx";

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
    const result = await enrollSecondStep(
      freeName(
        NAME,
        secondSteps.map((step) => step.name),
      ),
      currentPassword,
    );
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
          ? `Off. ${isFromProvider() ? "Your identity provider may require one." : "Add an authenticator app to require a code as well as your password."}`
          : `On. Signing in requires ${isFromProvider() ? "your identity provider" : "your password"} and a code.`
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

/** Asks for a code. Open while `step` is set. */
function RemoveSecondStepDialog({
  step: openStep,
  onClose,
  onDone,
}: {
  step: Account["secondSteps"][number] | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const step = useLastValue(openStep);
  const toast = useToast();
  if (!step) return null;

  function handleDone() {
    onDone();
    toast.show({
      title: "Second Step Removed",
      description: `You no longer need a code from “${step!.name}” to sign in.`,
      variant: "success",
    });
  }
  return (
    <CodeDialog
      isOpen={openStep !== null}
      title={`Remove “${step.name}”?`}
      text="Enter the current code from the app to confirm."
      keep="Keep second step"
      action={{ label: "Remove", look: "danger" }}
      submit={(code) => removeSecondStep(step.id, code)}
      onDone={handleDone}
      onClose={onClose}
    />
  );
}

const QrCode = lazyPart(() => import("./qr-code.tsx"));

/** Shows the secret once and asks for the first code. Open while `step` is set. */
function AddSecondStepDialog({
  step: openStep,
  onClose,
  onDone,
}: {
  step: NewSecondStep | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const step = useLastValue(openStep);
  const toast = useToast();
  if (!step) return null;

  function handleDone() {
    onDone();
    toast.show({
      title: "Second Step On",
      description: "You now need a code to sign in. Other browsers were signed out.",
      variant: "success",
    });
  }
  return (
    <CodeDialog
      isOpen={openStep !== null}
      title="Set up a second step"
      text="Scan the QR code with an authenticator app, then enter the code from the app."
      action={{ label: "Turn on", look: "primary" }}
      submit={(code) => verifyCode(step.id, code)}
      onDone={handleDone}
      onClose={onClose}
    >
      <div className="flex flex-wrap items-center gap-5">
        <div className="size-44 shrink-0">
          <Suspense>
            <QrCode text={step.uri} label="QR code for an authenticator app" />
          </Suspense>
        </div>
        <Secret secret={step.secret} />
      </div>
    </CodeDialog>
  );
}

function Secret({ secret }: { secret: string }) {
  const { copied, copy } = useCopy();
  return (
    <div className="grid min-w-0 flex-1 basis-48 justify-items-start gap-2">
      <p className="text-12 text-ink-3">Or enter this secret manually</p>
      <p className="raw tnum font-medium text-ink">{secret.match(/.{1,4}/g)?.join(" ")}</p>
      <Button size="sm" onClick={() => copy(secret)}>
        {copied ? "Copied!" : "Copy secret"}
      </Button>
    </div>
  );
}
