import { useQueryClient } from "@tanstack/react-query";
import { useController, useForm } from "react-hook-form";
import { RETENTION_DAYS_RANGE, type SettingsResponse } from "#contract/settings.ts";
import { saveSettings, settingsKey } from "../../api/settings.ts";
import { jobKeys } from "../../jobs/job-keys.ts";
import { Button } from "../../ui/button.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { useToast } from "../../ui/use-toast.ts";
import { type FilesForm, readDays, toFilesForm, toRetentionDays } from "./files-form.ts";
import { SettingsSection } from "./settings-section.tsx";
import { useOneAtATime } from "./use-one-at-a-time.ts";

/** How long the files of ended jobs are kept. */
export function FilesSection({ settings }: { settings: SettingsResponse }) {
  const { control, register, setValue, getValues, handleSubmit, reset, formState } = useForm<FilesForm>({
    values: toFilesForm(settings.output_retention_days),
    resetOptions: { keepDirtyValues: true },
  });
  const keep = useController({ control, name: "keep" }).field;
  const toast = useToast();
  const client = useQueryClient();
  const { isBusy, run } = useOneAtATime();

  async function save(form: FilesForm) {
    try {
      const saved = await saveSettings({ output_retention_days: toRetentionDays(form) });
      reset(toFilesForm(saved.output_retention_days));
      client.setQueryData(settingsKey, saved);
      toast.show({
        title: "Setting Saved",
        description: "It holds for files that are there already, too.",
        variant: "success",
      });
      // Cards say when a job's files go.
      void client.invalidateQueries({ queryKey: jobKeys.histories });
    } catch {
      toast.show({ title: "Error", description: "Failed to save how long files are kept", variant: "destructive" });
    }
  }
  return (
    <SettingsSection
      title="Finished Files"
      text="Jobs and their history stay; only their files are deleted. A card says so three days before."
      onSubmit={(event) => void handleSubmit((form) => run(() => save(form)))(event)}
    >
      <div className="grid gap-x-6 gap-y-5 desk:grid-cols-2">
        <div className="grid content-start gap-1.5">
          <span className="font-medium text-ink" aria-hidden>
            Keep finished files
          </span>
          <Segmented
            label="Keep finished files"
            options={[
              { value: "days", label: "For some days" },
              { value: "ever", label: "For ever" },
            ]}
            value={keep.value}
            onChange={keep.onChange}
          />
        </div>
        {keep.value === "days" && (
          <NumberField
            {...register("days", {
              onBlur: () => setValue("days", String(readDays(getValues("days"))), { shouldDirty: true }),
            })}
            label="Days"
            hint={`${RETENTION_DAYS_RANGE.least}-${RETENTION_DAYS_RANGE.most}, from the end of the job`}
          />
        )}
      </div>
      <div>
        <Button type="submit" look={formState.isDirty ? "primary" : "neutral"} isBusy={isBusy}>
          Save
        </Button>
      </div>
    </SettingsSection>
  );
}
