import { type ReactNode, type SubmitEvent, useState } from "react";
import type { AuthFailure } from "../../../api/connection/auth-failure.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";

/** Stays open with the reason if `submit` fails. */
export function AttemptDialog({
  isOpen,
  title,
  text,
  keep = "Cancel",
  action,
  submit,
  onDone,
  onClose,
  children,
}: {
  isOpen: boolean;
  title: string;
  text?: string;
  /** The cancel button's label. */
  keep?: string;
  action: { label: string; look: "primary" | "danger" };
  submit: (form: FormData) => Promise<AuthFailure | null>;
  /** Called on success, after `onClose`. */
  onDone?: () => void;
  onClose: () => void;
  /** Renders the fields, given the last failure. */
  children: (failure: AuthFailure | null) => ReactNode;
}) {
  const [failure, setFailure] = useState<AuthFailure | null>(null);
  const { isBusy, run } = useExclusiveAction();

  function close() {
    setFailure(null);
    onClose();
  }
  async function attempt(form: FormData) {
    setFailure(null);
    const problem = await submit(form);
    setFailure(problem);
    if (problem) return;
    onClose();
    onDone?.();
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    const form = new FormData(event.currentTarget);
    void run(() => attempt(form));
  }
  return (
    <Dialog
      isOpen={isOpen}
      title={title}
      text={text}
      onClose={close}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button look="quiet" onClick={close}>
            {keep}
          </Button>
          <Button type="submit" look={action.look} isBusy={isBusy}>
            {action.label}
          </Button>
        </>
      }
    >
      {children(failure)}
    </Dialog>
  );
}
