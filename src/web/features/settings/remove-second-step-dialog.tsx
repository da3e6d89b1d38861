import type { SubmitEvent } from "react";
import { type Account, removeSecondStep } from "../../api/account.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { formText } from "../../ui/form-text.ts";
import { useToast } from "../../ui/use-toast.ts";
import { CodeField } from "./code-field.tsx";
import { useAttempt } from "./use-attempt.ts";
import { useLast } from "./use-last.ts";

/** Asks for a code before a second step goes. Open while there is a step. */
export function RemoveSecondStepDialog({
  step: openStep,
  onClose,
  onDone,
}: {
  step: Account["secondSteps"][number] | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const step = useLast(openStep);
  const { isBusy, failure, attempt, forget } = useAttempt();
  const toast = useToast();

  function close() {
    forget();
    onClose();
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    const code = formText(new FormData(event.currentTarget), "code");
    if (!step) return;
    attempt(
      () => removeSecondStep(step.id, code),
      () => {
        close();
        onDone();
        toast.show({
          title: "Second Step Removed",
          description: `“${step.name}” is not asked any more.`,
          variant: "success",
        });
      },
    );
  }
  return (
    <Dialog
      isOpen={openStep !== null}
      title={`Remove “${step?.name ?? ""}”?`}
      text="Enter a code that it shows now, so that nobody else can do this."
      onClose={close}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button look="quiet" onClick={close}>
            Keep it
          </Button>
          <Button type="submit" look="danger" isBusy={isBusy}>
            Remove
          </Button>
        </>
      }
    >
      <CodeField failure={failure} />
    </Dialog>
  );
}
