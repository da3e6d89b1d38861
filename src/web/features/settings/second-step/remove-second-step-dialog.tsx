import { type Account, removeSecondStep } from "../../../api/functions/settings/account.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { CodeDialog } from "./code-dialog.tsx";
import { useLastValue } from "../use-last-value.ts";

/** Asks for a code. Open while `step` is set. */
export function RemoveSecondStepDialog({
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
