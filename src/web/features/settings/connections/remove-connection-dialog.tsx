import type { Connection } from "#contract/connections/connections.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { deleteConnection } from "../../../api/functions/connections.ts";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { describeLoss } from "./describe-connection.ts";
import { useConnectionList } from "../../../connections/use-connections.ts";

const CONFLICT = 409;

/** Says what the removal breaks. If a job came to need the connection meanwhile, it says so and asks again. */
export function RemoveConnectionDialog({
  connection,
  isOpen,
  onClose,
}: {
  connection: Connection;
  isOpen: boolean;
  onClose: () => void;
}) {
  const { id, name, used_by_total: users } = connection;
  const { isBusy, run } = useExclusiveAction();
  const { drop, refetch } = useConnectionList();
  const toast = useToast();

  async function remove() {
    try {
      await deleteConnection(id, users > 0);
      onClose();
      drop(id);
      toast.show({ title: "Connection Removed", description: `"${name}" was deleted.`, variant: "success" });
    } catch (error) {
      if (error instanceof CallError && error.status === CONFLICT) {
        await refetch();
        return;
      }
      const reason = error instanceof CallError ? error.message : "Couldn't remove the connection";
      toast.show({ title: "Error", description: reason, variant: "destructive" });
      onClose();
    }
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Remove ${name}?`}
      text={describeLoss(connection)}
      confirmLabel="Remove connection"
      cancelLabel="Keep connection"
      isBusy={isBusy}
      onConfirm={() => void run(remove)}
      onClose={onClose}
    />
  );
}
