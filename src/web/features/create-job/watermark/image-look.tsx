import { useController, type UseFormReturn } from "react-hook-form";
import { settingOf } from "#contract/job-settings/setting-values.ts";
import { GridChoice } from "../../../ui/fields/grid-choice.tsx";
import type { JobForm } from "../draft/job-form.ts";
import { SettingField } from "../setting-field.tsx";
import { optionsOf } from "../setting-fields.ts";

export function ImageLook({ form }: { form: UseFormReturn<JobForm> }) {
  const { value, onChange } = useController({ control: form.control, name: "watermarkPosition" }).field;
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <GridChoice
        label={settingOf("watermark_position").label}
        columns={3}
        options={optionsOf("watermark_position")}
        value={value}
        onChange={onChange}
      />
      <div className="grid min-w-40 flex-1 gap-3">
        <SettingField form={form} name="watermark_scale" />
        <SettingField form={form} name="watermark_opacity" />
      </div>
    </div>
  );
}
