import { CallError } from "../../api/functions/call-error.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../ui/use-exclusive-action.ts";

const CONFLICT = 409;

/** Confirms the removal; asks again if the item came into use meanwhile. */
export function RemoveDialog({
  noun,
  item,
  loss,
  onRemove,
  list,
  isOpen,
  onClose,
}: {
  /** Lowercase, such as "connection". */
  noun: string;
  item: { id: string; name: string; used_by_total: number };
  /** What the removal breaks. */
  loss: string;
  onRemove: (id: string, force: boolean) => Promise<void>;
  list: { drop: (id: string) => void; refetch: () => Promise<unknown> };
  isOpen: boolean;
  onClose: () => void;
}) {
  const { id, name, used_by_total: users } = item;
  const { isBusy, run } = useExclusiveAction();
  const toast = useToast();

  async function remove() {
    try {
      await onRemove(id, users > 0);
      onClose();
      list.drop(id);
      const title = `${noun[0]!.toUpperCase()}${noun.slice(1)} Removed`;
      toast.show({ title, description: `"${name}" was deleted.`, variant: "success" });
    } catch (error) {
      if (error instanceof CallError && error.status === CONFLICT) {
        await list.refetch();
        return;
      }
      const reason = error instanceof CallError ? error.message : `Couldn't remove the ${noun}`;
      toast.show({ title: "Error", description: reason, variant: "destructive" });
      onClose();
    }
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Remove ${name}?`}
      text={loss}
      confirmLabel={`Remove ${noun}`}
      cancelLabel={`Keep ${noun}`}
      isBusy={isBusy}
      onConfirm={() => void run(remove)}
      onClose={onClose}
    />
  );
}
