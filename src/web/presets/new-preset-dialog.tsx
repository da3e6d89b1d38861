import { useState } from "react";
import { JOB_DEFAULTS, pickSettings } from "#contract/job-settings/setting-values.ts";
import { PRESET_SETTINGS, type PresetSettings } from "#contract/presets/preset-settings.ts";
import type { Preset } from "#contract/presets/presets.ts";
import { splitCaptions } from "#contract/sources/links.ts";
import { presetTable } from "../api/preset-tables.ts";
import { quoteName } from "../jobs/row/cut-text.ts";
import { TextAreaField } from "../ui/fields/text-area-field.tsx";
import { Select } from "../ui/menus/select.tsx";
import { useToast } from "../ui/toasts/use-toast.ts";
import { PresetNameDialog } from "./preset-name-dialog.tsx";
import { usePresetLists } from "./use-presets.ts";

const DEFAULTS = "defaults";

/** Starts from the default settings, or from another preset's; all others are changed in the job form. */
export function NewPresetDialog({
  isOpen,
  presets,
  text,
  onSaved,
  onClose,
}: {
  isOpen: boolean;
  presets: readonly Preset[];
  text: string;
  onSaved: (saved: Preset) => void;
  onClose: () => void;
}) {
  const toast = useToast();
  const { putPreset } = usePresetLists();
  const [base, setBase] = useState(DEFAULTS);
  const [captions, setCaptions] = useState("");

  async function save(name: string) {
    const copied = presets.find(({ id }) => id === base);
    const settings = {
      ...(copied?.settings ?? pickSettings(JOB_DEFAULTS, PRESET_SETTINGS)),
      ...withCaptions(captions),
    };
    const saved = await presetTable.add({ name, settings, brand_kit_id: copied?.brand_kit_id ?? null });
    putPreset(saved);
    setCaptions("");
    toast.show({ title: "Preset Created", description: `${quoteName(saved.name)} was created.`, variant: "success" });
    onSaved(saved);
  }
  return (
    <PresetNameDialog
      isOpen={isOpen}
      title="New preset"
      text={text}
      submitLabel="Create preset"
      initialName=""
      save={save}
      onClose={onClose}
    >
      <div className="grid gap-1.5">
        <span className="font-medium text-ink" aria-hidden>
          Settings
        </span>
        <Select
          label="Settings"
          className="w-full min-w-0"
          options={[
            { value: DEFAULTS, label: "Default settings" },
            ...presets.map(({ id, name }) => ({ value: id, label: `As in ${name}` })),
          ]}
          value={base}
          onLost={() => setBase(DEFAULTS)}
          onChange={setBase}
        />
      </div>
      <TextAreaField
        label="Captions"
        value={captions}
        hint="Optional. One caption per line."
        onChange={(event) => setCaptions(event.target.value)}
      />
    </PresetNameDialog>
  );
}

/** Keeps the captions of the copied preset if none are entered. */
function withCaptions(text: string): Partial<PresetSettings> {
  const captions = splitCaptions(text);
  return captions.length === 0 ? {} : { captions_enabled: true, caption_set_id: null, custom_captions: captions };
}
