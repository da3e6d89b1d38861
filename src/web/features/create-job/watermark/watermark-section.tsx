import type { UseFormReturn } from "react-hook-form";
import type { CheckCaptionsResponse } from "#contract/calls.ts";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import { CaptionNotes } from "../../../sets/editor/caption-notes.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { ContentSection } from "../content-section.tsx";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import { IMAGE_ZONE } from "../upload/file-drop.tsx";
import { ImageField } from "./image-field.tsx";
import { ImageLook } from "./image-look.tsx";

export function WatermarkSection({
  form,
  isOn,
  read: { watermark: text, watermarkImage: image },
  check,
}: {
  form: UseFormReturn<JobForm>;
  isOn: boolean;
  read: Pick<ReadForm, "watermark" | "watermarkImage">;
  /** Null if shown elsewhere. */
  check: CheckCaptionsResponse | null;
}) {
  const hint = image === null ? "Add text, an image, or both." : undefined;
  return (
    <ContentSection
      title="Watermark"
      dropZone={IMAGE_ZONE}
      isOn={isOn}
      registration={form.register("watermarkEnabled")}
    >
      <div className="grid grid-cols-1 gap-x-6 gap-y-3 wide:grid-cols-2">
        <div className="grid content-start gap-2">
          <TextField
            {...form.register("watermarkText")}
            label="Watermark text"
            isLabelHidden
            placeholder="@yourname"
            autoComplete="off"
            maxLength={JOB_LIMITS.watermarkCharacters}
            hint={text ? undefined : hint}
          />
          <ImageField link={image} onChange={(link) => form.setValue("watermarkImage", link, { shouldDirty: true })} />
        </div>
        {image !== null && <ImageLook form={form} />}
      </div>
      {check && <CaptionNotes check={check} />}
    </ContentSection>
  );
}
