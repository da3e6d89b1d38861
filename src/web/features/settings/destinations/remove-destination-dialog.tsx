import type { Destination } from "#contract/destinations/destinations.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { deleteDestination } from "../../../api/functions/destinations.ts";
import { useDestinationList } from "../../../destinations/use-destinations.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";

const CONFLICT = 409;

/** Says what the removal breaks. If a job came to use the destination meanwhile, it says so and asks again. */
export function RemoveDestinationDialog({
  destination,
  isOpen,
  onClose,
}: {
  destination: Destination;
  isOpen: boolean;
  onClose: () => void;
}) {
  const { id, name, used_by_total: users } = destination;
  const { isBusy, run } = useExclusiveAction();
  const { drop, refetch } = useDestinationList();
  const toast = useToast();

  async function remove() {
    try {
      await deleteDestination(id, users > 0);
      onClose();
      drop(id);
      toast.show({ title: "Destination Removed", description: `"${name}" was deleted.`, variant: "success" });
    } catch (error) {
      if (error instanceof CallError && error.status === CONFLICT) {
        await refetch();
        return;
      }
      const reason = error instanceof CallError ? error.message : "Couldn't remove the destination";
      toast.show({ title: "Error", description: reason, variant: "destructive" });
      onClose();
    }
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Remove ${name}?`}
      text={describeLoss(destination)}
      confirmLabel="Remove destination"
      cancelLabel="Keep destination"
      isBusy={isBusy}
      onConfirm={() => void run(remove)}
      onClose={onClose}
    />
  );
}

function describeLoss({ used_by: users, used_by_total: total }: Destination): string {
  const [first] = users;
  if (!first) return "No unfinished job or preset uses it. Delivered files stay where they are.";
  const who =
    total === 1
      ? `The ${first.type} "${first.name}" delivers`
      : `"${first.name}" and ${pluralize(total - 1, "other")} deliver`;
  return `${who} to it. Deliveries in progress are canceled, and those jobs will not be delivered here. Delivered files stay where they are.`;
}
