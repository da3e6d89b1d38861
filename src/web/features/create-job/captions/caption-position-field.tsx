import { useWatch, type UseFormReturn } from "react-hook-form";
import { ChoiceField } from "../choice-field.tsx";
import type { JobForm } from "../draft/job-form.ts";

/** A custom caption height overrides the position; choosing a position clears it. */
export function CaptionPositionField({ form }: { form: UseFormReturn<JobForm> }) {
  const captionY = useWatch({ control: form.control, name: "captionY" });
  return (
    <ChoiceField
      form={form}
      name="caption_position"
      label="Position"
      isOverridden={captionY !== ""}
      onChoose={() => form.setValue("captionY", "", { shouldDirty: true })}
    />
  );
}
