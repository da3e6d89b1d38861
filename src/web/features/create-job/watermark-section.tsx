import type { UseFormReturn } from "react-hook-form";
import type { CheckCaptionsResponse } from "#contract/calls.ts";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import { CaptionNotes } from "../../sets/editor/caption-notes.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { ContentSection } from "./content-section.tsx";
import type { JobForm } from "./draft/job-form.ts";

export function WatermarkSection({
  form,
  isOn,
  text,
  check,
}: {
  form: UseFormReturn<JobForm>;
  isOn: boolean;
  text: string | null;
  /** Null if shown elsewhere. */
  check: CheckCaptionsResponse | null;
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
        hint={text ? undefined : "Leave empty for no watermark."}
      />
      {check && <CaptionNotes check={check} />}
    </ContentSection>
  );
}
