import { useController, type UseFormReturn } from "react-hook-form";
import { JOB_SETTINGS } from "#contract/job-settings/job-settings.ts";
import { Slider } from "../../../ui/fields/slider.tsx";
import type { JobForm } from "../draft/job-form.ts";
import { readNumber } from "../setting-fields.ts";

const ROW = JOB_SETTINGS.ducking_db;

export function DuckingField({ form: { control } }: { form: UseFormReturn<JobForm> }) {
  const { value, onChange } = useController({ control, name: "duckingDb" }).field;
  return (
    <div className="grid gap-1">
      <Slider
        label={ROW.label}
        value={Math.min(ROW.most, readNumber(ROW, value))}
        min={ROW.least}
        max={ROW.most}
        step={1}
        format={(decibels) => (decibels === 0 ? "Off" : `${decibels} ${ROW.unit}`)}
        onChange={(decibels) => onChange(String(decibels))}
      />
      <span className="text-12 text-ink-3">Lowers the music while somebody speaks in the video.</span>
    </div>
  );
}
