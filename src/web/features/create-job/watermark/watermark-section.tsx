import { useController, type UseFormReturn } from "react-hook-form";
import type { CheckCaptionsResponse } from "#contract/calls.ts";
import { choiceLabel, settingOf } from "#contract/job-settings/setting-values.ts";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import { CaptionNotes } from "../../../sets/editor/caption-notes.tsx";
import { GridChoice } from "../../../ui/fields/grid-choice.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { Popover } from "../../../ui/menus/popover.tsx";
import { ContentSection } from "../content-section.tsx";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import { SettingField } from "../setting-field.tsx";
import { optionsOf } from "../setting-fields.ts";
import { AddFiles, UploadRows } from "../../../sources/uploads/add-files.tsx";
import { ChosenFile } from "../../../sources/chosen-file.tsx";
import { IMAGE_ZONE } from "../upload/file-drop.tsx";

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
  const hint = image === null ? "Add text, an image, or both. Images: PNG or WebP, at most 10 MB." : undefined;
  const setImage = (link: string) => form.setValue("watermarkImage", link, { shouldDirty: true });
  const links = image === null ? [] : [image];
  return (
    <ContentSection
      title="Watermark"
      dropZone={IMAGE_ZONE}
      isOn={isOn}
      registration={form.register("watermarkEnabled")}
    >
      <div className="grid gap-2">
        <TextField
          {...form.register("watermarkText")}
          label="Watermark text"
          isLabelHidden
          placeholder="@yourname"
          autoComplete="off"
          maxLength={JOB_LIMITS.watermarkCharacters}
          hint={text ? undefined : hint}
        />
        {image !== null && (
          <ChosenFile label="Watermark image" kind="image" link={image} onRemove={() => setImage("")} />
        )}
        <UploadRows use="image" links={links} isListed />
        <div className="flex flex-wrap items-center gap-2">
          {image !== null && <ImageLook form={form} />}
          <span className={image === null ? "-ml-2" : undefined}>
            <AddFiles use="image" links={links} isMenu onAdd={([added]) => added !== undefined && setImage(added)} />
          </span>
        </div>
      </div>
      {check && <CaptionNotes check={check} />}
    </ContentSection>
  );
}

function ImageLook({ form }: { form: UseFormReturn<JobForm> }) {
  const { value, onChange } = useController({ control: form.control, name: "watermarkPosition" }).field;
  return (
    <Popover label="Watermark look" summary={choiceLabel(settingOf("watermark_position"), value)}>
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
    </Popover>
  );
}
