import { useState } from "react";
import { useController, type UseFormReturn } from "react-hook-form";
import { JOB_SETTINGS } from "#contract/job-settings/job-settings.ts";
import { Segmented } from "../../../ui/fields/segmented.tsx";
import type { JobForm } from "../draft/job-form.ts";
import { SettingField } from "../setting-field.tsx";

const { label, least, most, unit } = JOB_SETTINGS.loudness_lufs;

const PRESETS = [
  { value: "", label: "Off" },
  { value: "-14", label: `−14 ${unit}` },
  { value: "-16", label: `−16 ${unit}` },
] as const;
const OTHER = { value: "other", label: "Other" } as const;

const RANGE = `${unit}, from −${-least} to −${-most}`;

const HINTS: Record<string, string> = {
  "": "Sound keeps the loudness of the video and the music.",
  "-14": `Every file gets the same loudness, −14 ${unit}: the usual level of online video.`,
  "-16": `Every file gets the same loudness, −16 ${unit}: quieter, with more room for loud moments.`,
};

export function LoudnessField({ form }: { form: UseFormReturn<JobForm> }) {
  const { value, onChange } = useController({ control: form.control, name: "loudnessLufs" }).field;
  const [isOtherChosen, setIsOtherChosen] = useState(false);
  const isPreset = PRESETS.some((preset) => preset.value === value);
  const isOther = isOtherChosen || !isPreset;
  const choose = (choice: string) => {
    setIsOtherChosen(choice === OTHER.value);
    if (choice !== OTHER.value) onChange(choice);
    else if (value === "") onChange(PRESETS[1].value);
  };
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="grid content-start gap-1.5">
        <span className="font-medium text-ink" aria-hidden>
          {label}
        </span>
        <Segmented
          label={label}
          options={[...PRESETS, OTHER]}
          value={isOther ? OTHER.value : value}
          onChange={choose}
        />
        {!isOther && <span className="text-12 text-ink-3">{HINTS[value]}</span>}
      </div>
      {isOther && (
        <div
          className="w-44"
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.contains(relatedTarget)) setIsOtherChosen(false);
          }}
        >
          <SettingField form={form} name="loudness_lufs" label="Target" hint={RANGE} />
        </div>
      )}
    </div>
  );
}
