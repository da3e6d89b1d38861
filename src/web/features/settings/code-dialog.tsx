import type { ReactNode, SubmitEvent } from "react";
import type { AuthFailure } from "../../api/auth-failure.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { formText } from "../../ui/form-text.ts";
import { CodeField } from "./code-field.tsx";
import { useAttempt } from "./use-attempt.ts";

/** Asks for a code of an authenticator app and does `submit` with it; stays open, with the reason, when that fails. */
export function CodeDialog({
  isOpen,
  title,
  text,
  keep,
  action,
  submit,
  onDone,
  onClose,
  children,
}: {
  isOpen: boolean;
  title: string;
  text: string;
  /** What the button says that changes nothing. */
  keep: string;
  action: { label: string; look: "primary" | "danger" };
  submit: (code: string) => Promise<AuthFailure | null>;
  onDone: () => void;
  onClose: () => void;
  /** Stands above the code. */
  children?: ReactNode;
}) {
  const { isBusy, failure, attempt, forget } = useAttempt();

  function close() {
    forget();
    onClose();
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    const code = formText(new FormData(event.currentTarget), "code");
    attempt(
      () => submit(code),
      () => {
        close();
        onDone();
      },
    );
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
      {children}
      <CodeField failure={failure} />
    </Dialog>
  );
}
