import type { UseFormReturn } from "react-hook-form";
import { JOB_LIMITS } from "#contract/jobs.ts";
import { TextField } from "../../ui/text-field.tsx";
import { ContentSection } from "./content-section.tsx";
import type { JobForm } from "./job-form.ts";

export function WatermarkSection({
  form,
  isOn,
  text,
}: {
  form: UseFormReturn<JobForm>;
  isOn: boolean;
  text: string | null;
}) {
  return (
    <ContentSection title="Watermark" isOn={isOn} registration={form.register("watermarkEnabled")}>
      <TextField
        {...form.register("watermarkText")}
        label="Watermark text"
        isLabelHidden
        placeholder="@yourname"
        autoComplete="off"
        maxLength={JOB_LIMITS.watermarkCharacters}
        hint={text ? undefined : "Without a text there is no watermark."}
      />
    </ContentSection>
  );
}
