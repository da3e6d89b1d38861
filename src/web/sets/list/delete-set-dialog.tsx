import type { SavedSet } from "../../api/set-tables.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { cutText } from "../../jobs/row/cut-text.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import type { SetKind } from "../set-kind.ts";
import { useDeleteSet } from "../use-sets.ts";

const NAME_CHARACTERS = 60;

/** Stays open if the deletion fails. */
export function DeleteSetDialog({
  kind,
  set,
  isOpen,
  returnFocusTo,
  onClose,
}: {
  kind: SetKind;
  set: SavedSet;
  isOpen: boolean;
  returnFocusTo: () => HTMLElement | null;
  onClose: () => void;
}) {
  const deletion = useDeleteSet(kind, onClose);
  const items = pluralize(set.items.length, kind.item);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={kind.texts.askToDelete}
      text={`"${cutText(set.name, NAME_CHARACTERS)}" and its ${items} will be deleted. ${kind.texts.deletionKeeps}`}
      confirmLabel="Delete set"
      cancelLabel="Keep set"
      isBusy={deletion.isPending}
      returnFocusTo={returnFocusTo}
      onConfirm={() => deletion.remove(set)}
      onClose={onClose}
    />
  );
}
