import { SettingField } from "../setting-field.tsx";
import type { FormValues } from "../draft/job-form.ts";

/** How clips follow each other. Nothing without clips. */
export function JoinFields({ form, values, read }: FormValues) {
  const isAssembled = read.slots.length > 0;
  if (!isAssembled && values.introLink === "" && values.outroLink === "") return null;
  return (
    <>
      <div className="grid max-w-[440px] grid-cols-2 items-start gap-x-4">
        <SettingField form={form} name="transition_seconds" hint="Up to 1 second. 0 is a cut" />
        <SettingField form={form} name="audio_crossfade_ms" hint="Up to 300 milliseconds" />
      </div>
      {isAssembled && <SettingField form={form} name="even_loudness" />}
    </>
  );
}
