import type { Preset } from "#contract/presets/presets.ts";
import { presetTable } from "../../api/preset-tables.ts";
import { quoteName } from "../../jobs/row/cut-text.ts";
import { usePresetLists } from "../../presets/use-presets.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { useRunChange } from "./use-run-change.ts";

/** Stays open if the deletion fails. */
export function DeletePresetDialog({
  preset: { id, name },
  isOpen,
  onClose,
}: {
  preset: Preset;
  isOpen: boolean;
  onClose: () => void;
}) {
  const toast = useToast();
  const { dropPreset } = usePresetLists();
  const { isBusy, runChange } = useRunChange();

  async function remove() {
    await presetTable.remove(id);
    onClose();
    dropPreset(id);
    toast.show({ title: "Preset Deleted", description: `${quoteName(name)} was deleted.`, variant: "success" });
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Delete this preset?"
      text={`${quoteName(name)} and all its versions will be deleted. Jobs keep the settings they started with.`}
      confirmLabel="Delete preset"
      cancelLabel="Keep preset"
      isBusy={isBusy}
      onConfirm={() => runChange("Couldn't delete the preset", remove)}
      onClose={onClose}
    />
  );
}
