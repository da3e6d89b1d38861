import type { UseMutationResult } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { CallError } from "../../api/functions/call-error.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";

/** Stays open until the deletion ends. */
export function DeleteDialog<Target extends { id: string }>({
  target,
  title,
  describe,
  confirmLabel,
  cancelLabel,
  deletion: { mutate, isPending },
  onClose,
}: {
  target: Target | null;
  title: string;
  describe: (target: Target) => string;
  confirmLabel: string;
  cancelLabel: string;
  deletion: UseMutationResult<void, Error, string>;
  onClose: () => void;
}) {
  const isDeleted = useRef(false);
  // Keeps the text during the closing animation.
  const [last, setLast] = useState(target);
  if (target && target !== last) setLast(target);
  if (!last) return null;
  function handleConfirm(id: string) {
    isDeleted.current = false;
    mutate(id, {
      onSuccess: () => (isDeleted.current = true),
      onError: (error) => (isDeleted.current = error instanceof CallError && error.status === 404),
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
      // The button that had focus was deleted with its row.
      returnFocusTo={() => (isDeleted.current ? document.querySelector<HTMLElement>('[role="tabpanel"]') : null)}
      onConfirm={() => handleConfirm(last.id)}
      onClose={onClose}
    />
  );
}
