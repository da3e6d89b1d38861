import { useState } from "react";
import { PRESET_LIMITS } from "#contract/presets/presets.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import type { PresetChoice } from "./use-preset-choice.ts";

/** Stays open and keeps the name until the preset is saved. */
export function SavePresetDialog({
  isOpen,
  choice,
  onClose,
}: {
  isOpen: boolean;
  choice: Pick<PresetChoice, "presets" | "saveAs">;
  onClose: () => void;
}) {
  const { isBusy, run } = useExclusiveAction();
  const [name, setName] = useState("");
  // The first preset is usually the one to start with.
  const [isDefault, setIsDefault] = useState(choice.presets?.length === 0);
  const [problem, setProblem] = useState<string | undefined>();

  async function save() {
    if (name.trim() === "") {
      setProblem("Enter a name.");
      return;
    }
    try {
      await choice.saveAs({ name: name.trim(), isDefault });
      setName("");
      setIsDefault(false);
      onClose();
    } catch (error) {
      setProblem(error instanceof CallError ? error.message : "Couldn't save the preset");
    }
  }
  return (
    <Dialog
      isOpen={isOpen}
      title="Save as preset"
      text="Saves all settings of this form, without its job name and videos."
      onClose={onClose}
      onSubmit={() => void run(save)}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Save preset
          </Button>
        </>
      }
    >
      <TextField
        label="Preset name"
        value={name}
        error={problem}
        autoComplete="off"
        maxLength={PRESET_LIMITS.nameCharacters}
        onChange={(event) => {
          setName(event.target.value);
          setProblem(undefined);
        }}
      />
      <Checkbox
        label="Start new jobs with this preset"
        checked={isDefault}
        onChange={(event) => setIsDefault(event.target.checked)}
      />
    </Dialog>
  );
}
