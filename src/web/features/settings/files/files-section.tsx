import { useQueryClient } from "@tanstack/react-query";
import { useController } from "react-hook-form";
import { RETENTION_DAYS_RANGE, type SettingsResponse } from "#contract/settings/settings.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { NumberField } from "../../../ui/fields/text-field.tsx";
import { SegmentedField } from "../../../ui/fields/segmented-field.tsx";
import { readDays, toFilesForm, toRetentionDays } from "./files-form.ts";
import { SettingsSection } from "../settings-section.tsx";
import { useSettingsForm } from "../use-settings-form.ts";

export function FilesSection({ settings }: { settings: SettingsResponse }) {
  const client = useQueryClient();
  const { form, isEdited, isBusy, handleSubmit } = useSettingsForm(settings, {
    toForm: (from) => toFilesForm(from.output_retention_days),
    toChange: (typed) => ({ output_retention_days: toRetentionDays(typed) }),
    saved: { title: "Setting Saved", description: "Also applies to existing files." },
    failed: "Couldn't save how long to keep files",
    // Job cards show when files will be deleted.
    onSaved: () => void client.invalidateQueries({ queryKey: jobKeys.histories }),
  });
  const { control, register, setValue, getValues } = form;
  const keep = useController({ control, name: "keep" }).field;
  return (
    <SettingsSection
      hash="finished-files"
      text="Only files are deleted; jobs and their history are kept. Job cards show a notice three days in advance."
      onSubmit={handleSubmit}
      isEdited={isEdited}
    >
      <div className="grid gap-x-6 gap-y-5 desk:grid-cols-2">
        <SegmentedField
          label="Keep finished files"
          options={[
            { value: "days", label: "For a set number of days" },
            { value: "ever", label: "Forever" },
          ]}
          value={keep.value}
          onChange={keep.onChange}
        />
        {keep.value === "days" && (
          <NumberField
            {...register("days", {
              onBlur: () => setValue("days", String(readDays(getValues("days"))), { shouldDirty: true }),
            })}
            label="Days"
            hint={`${RETENTION_DAYS_RANGE.least}-${RETENTION_DAYS_RANGE.most} days after the job ends`}
          />
        )}
      </div>
      <div>
        <Button type="submit" look={isEdited ? "primary" : "neutral"} isBusy={isBusy}>
          Save retention period
        </Button>
      </div>
    </SettingsSection>
  );
}
