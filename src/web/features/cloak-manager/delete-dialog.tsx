import type { UseMutationResult } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { CallError } from "../../api/functions/call-error.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";

/** Asks before a domain or a route is deleted, and stays until it is. */
export function DeleteDialog<Target extends { id: string }>({
  target,
  title,
  describe,
  confirmLabel,
  cancelLabel,
  deletion: { mutate, isPending },
  onClose,
}: {
  /** Null closes it. */
  target: Target | null;
  title: string;
  describe: (target: Target) => string;
  confirmLabel: string;
  cancelLabel: string;
  deletion: UseMutationResult<void, Error, string>;
  onClose: () => void;
}) {
  const isGone = useRef(false);
  // What it was about stays in sight while it closes.
  const [last, setLast] = useState(target);
  if (target && target !== last) setLast(target);
  if (!last) return null;
  function handleConfirm(id: string) {
    isGone.current = false;
    mutate(id, {
      onSuccess: () => (isGone.current = true),
      onError: (error) => (isGone.current = error instanceof CallError && error.status === 404),
      onSettled: onClose,
    });
  }
  return (
    <ConfirmDialog
      isOpen={target !== null}
      title={title}
      text={describe(last)}
      confirmLabel={confirmLabel}
      cancelLabel={cancelLabel}
      isBusy={isPending}
      // Its row went, and the button with it.
      returnFocusTo={() => (isGone.current ? document.querySelector<HTMLElement>('[role="tabpanel"]') : null)}
      onConfirm={() => handleConfirm(last.id)}
      onClose={onClose}
    />
  );
}
