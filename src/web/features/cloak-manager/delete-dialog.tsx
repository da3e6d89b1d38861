import { useState } from "react";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

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
  deletion: { mutate: (id: string, callbacks: { onSettled: () => void }) => void; isPending: boolean };
  onClose: () => void;
}) {
  // What it was about stays in sight while it closes.
  const [last, setLast] = useState(target);
  if (target && target !== last) setLast(target);
  if (!last) return null;
  return (
    <ConfirmDialog
      isOpen={target !== null}
      title={title}
      text={describe(last)}
      confirmLabel={confirmLabel}
      cancelLabel={cancelLabel}
      isBusy={isPending}
      onConfirm={() => mutate(last.id, { onSettled: onClose })}
      onClose={onClose}
    />
  );
}
