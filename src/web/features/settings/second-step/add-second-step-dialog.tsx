import { Suspense } from "react";
import { type NewSecondStep, verifyCode } from "../../../api/functions/settings/account.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { useCopy } from "../../../ui/buttons/use-copy.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { CodeDialog } from "./code-dialog.tsx";
import { useLastValue } from "../use-last-value.ts";
import { lazyPart } from "../../../ui/page/lazy-part.ts";

const QrCode = lazyPart(() => import("./qr-code.tsx"));

/** Shows the secret once and asks for the first code. Open while `step` is set. */
export function AddSecondStepDialog({
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
