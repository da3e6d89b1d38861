import type { Preset } from "#contract/presets/presets.ts";
import { Segmented } from "../../../ui/fields/segmented.tsx";
import { Select } from "../../../ui/menus/select.tsx";

const NONE = "none";
/** A few short names fit side by side on a phone, which saves a click. */
const MAX_SHOWN = 3;
const MAX_SHOWN_CHARACTERS = 24;

export function PresetPicker({
  presets,
  preset,
  onApply,
  onForget,
}: {
  presets: readonly Preset[];
  preset: Preset | null;
  onApply: (id: string) => void;
  onForget: () => void;
}) {
  const characters = presets.reduce((sum, { name }) => sum + name.length, 0);
  const Control = presets.length <= MAX_SHOWN && characters <= MAX_SHOWN_CHARACTERS ? Segmented : PresetSelect;
  return (
    <Control
      label="Preset"
      options={[{ value: NONE, label: "No preset" }, ...presets.map(({ id, name }) => ({ value: id, label: name }))]}
      value={preset?.id ?? NONE}
      onChange={(id) => (id === NONE ? onForget() : onApply(id))}
      onLost={onForget}
    />
  );
}

function PresetSelect(props: Parameters<typeof Select<string>>[0]) {
  return <Select {...props} className="w-56 min-w-0 max-desk:flex-1 max-desk:basis-[55%]" />;
}
