import { useState } from "react";
import { PresetNameDialog } from "../../../presets/preset-name-dialog.tsx";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import type { PresetChoice } from "./use-preset-choice.ts";

export function SavePresetDialog({
  isOpen,
  choice,
  onClose,
}: {
  isOpen: boolean;
  choice: Pick<PresetChoice, "presets" | "saveAs">;
  onClose: () => void;
}) {
  // The first preset is usually the intended default.
  const [isDefault, setIsDefault] = useState(choice.presets?.length === 0);

  async function save(name: string) {
    await choice.saveAs({ name, isDefault });
    setIsDefault(false);
  }
  return (
    <PresetNameDialog
      isOpen={isOpen}
      title="Save as preset"
      text="Saves every setting on this form except the job name and videos."
      submitLabel="Save preset"
      initialName=""
      save={save}
      onClose={onClose}
    >
      <Checkbox
        label="Start new jobs with this preset"
        checked={isDefault}
        onChange={(event) => setIsDefault(event.target.checked)}
      />
    </PresetNameDialog>
  );
}
