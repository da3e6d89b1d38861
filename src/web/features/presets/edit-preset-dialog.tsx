import { useState } from "react";
import type { BrandKit, Preset } from "#contract/presets/presets.ts";
import { presetTable } from "../../api/preset-tables.ts";
import { quoteName } from "../../jobs/row/cut-text.ts";
import { PresetNameDialog } from "../../presets/preset-name-dialog.tsx";
import { usePresetLists } from "../../presets/use-presets.ts";
import { Select } from "../../ui/menus/select.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { PRESET_GONE, requireRow } from "./use-run-change.ts";

const NO_KIT = "none";

/** Settings are changed in the job form. */
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
  const [kit, setKit] = useState(preset.brand_kit_id ?? NO_KIT);

  async function save(name: string) {
    const brand_kit_id = kit === NO_KIT ? null : kit;
    const change = { name, ...(brand_kit_id !== preset.brand_kit_id && { brand_kit_id, version: preset.version }) };
    const saved = requireRow(await presetTable.change(preset.id, change), PRESET_GONE);
    putPreset(saved);
    toast.show({ title: "Preset Updated", description: `${quoteName(saved.name)} was saved.`, variant: "success" });
  }
  return (
    <PresetNameDialog
      isOpen={isOpen}
      title="Edit preset"
      text='To change the settings of a preset, use it in Create Jobs, then select "Update preset".'
      submitLabel="Save changes"
      initialName={preset.name}
      save={save}
      onClose={onClose}
    >
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
    </PresetNameDialog>
  );
}
