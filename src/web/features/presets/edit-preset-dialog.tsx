import { useState } from "react";
import { type BrandKit, type Preset, PRESET_LIMITS } from "#contract/presets/presets.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { presetTable } from "../../api/preset-tables.ts";
import { quoteName } from "../../jobs/row/quote-name.ts";
import { usePresetLists } from "../../presets/use-presets.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { Select } from "../../ui/menus/select.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../ui/use-exclusive-action.ts";
import { PRESET_GONE, requireRow } from "./use-run-change.ts";

const NO_KIT = "none";

/** Changes a preset's name and brand kit. Its settings are changed in the job form. */
export function EditPresetDialog({
  preset,
  kits,
  isOpen,
  onClose,
}: {
  preset: Preset;
  kits: readonly BrandKit[];
  isOpen: boolean;
  onClose: () => void;
}) {
  const toast = useToast();
  const { putPreset } = usePresetLists();
  const { isBusy, run } = useExclusiveAction();
  const [name, setName] = useState(preset.name);
  const [kit, setKit] = useState(preset.brand_kit_id ?? NO_KIT);
  const [problem, setProblem] = useState<string | undefined>();

  async function save() {
    const brand_kit_id = kit === NO_KIT ? null : kit;
    try {
      const change = { name, ...(brand_kit_id !== preset.brand_kit_id && { brand_kit_id, version: preset.version }) };
      const saved = requireRow(await presetTable.change(preset.id, change), PRESET_GONE);
      putPreset(saved);
      toast.show({ title: "Preset Updated", description: `${quoteName(saved.name)} was saved.`, variant: "success" });
      onClose();
    } catch (error) {
      setProblem(error instanceof CallError ? error.message : "Couldn't save the preset");
    }
  }
  return (
    <Dialog
      isOpen={isOpen}
      title="Edit preset"
      text="To change its settings, use it in the job form and press Update preset."
      onClose={onClose}
      onSubmit={() => void run(save)}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Save changes
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
      <div className="grid gap-1.5">
        <span className="font-medium text-ink" aria-hidden>
          Brand kit
        </span>
        <Select
          label="Brand kit"
          options={[
            { value: NO_KIT, label: "No brand kit" },
            ...kits.map(({ id, name: of }) => ({ value: id, label: of })),
          ]}
          value={kit}
          className="w-full min-w-0"
          onLost={() => setKit(NO_KIT)}
          onChange={setKit}
        />
        <span className="text-12 text-ink-3">Its logo, colors and fonts replace those of the preset.</span>
      </div>
    </Dialog>
  );
}
