import { useWatch, type UseFormReturn } from "react-hook-form";
import { isShownLongEnough } from "#contract/jobs/job-rules.ts";
import { ChoiceField } from "../choice-field.tsx";
import type { JobForm } from "../draft/job-form.ts";
import { readField } from "../setting-fields.ts";
import { SettingField } from "../setting-field.tsx";

export function CaptionTimingFields({ form }: { form: UseFormReturn<JobForm> }) {
  const times = useWatch({ control: form.control, name: ["captionStartSeconds", "captionEndSeconds"] });
  const [captionStartSeconds, captionEndSeconds] = times;
  const fields = { ...form.getValues(), captionStartSeconds, captionEndSeconds };
  const from = readField("caption_start_seconds", fields);
  const to = readField("caption_end_seconds", fields);
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="w-32">
        <SettingField form={form} name="caption_start_seconds" hint="Seconds" />
      </div>
      <div className="w-32">
        <SettingField
          form={form}
          name="caption_end_seconds"
          hint="Seconds. Leave empty for the end"
          error={to !== null && !isShownLongEnough(from, to) ? `Must be at least 0.1 s after ${from}` : undefined}
        />
      </div>
      {(from > 0 || to !== null) && <ChoiceField form={form} name="caption_fade" label="Fade" />}
    </div>
  );
}
