import { useController } from "react-hook-form";
import { RECOMMENDED_VARIANTS } from "#contract/jobs/jobs.ts";
import { DEFAULT_VARIANTS_RANGE, type SettingsResponse } from "#contract/settings/settings.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { NumberField } from "../../../ui/fields/text-field.tsx";
import { SegmentedField } from "../../../ui/fields/segmented-field.tsx";
import { Slider } from "../../../ui/fields/slider.tsx";
import { readVariants, toForm, toPreferences } from "./defaults-form.ts";
import { SettingsSection } from "../settings-section.tsx";
import { useSettingsForm } from "../use-settings-form.ts";

export function DefaultsSection({ settings }: { settings: SettingsResponse }) {
  const { form, isEdited, isBusy, handleSubmit } = useSettingsForm(settings, {
    toForm,
    toChange: toPreferences,
    saved: { title: "Defaults Saved", description: "New jobs will use these defaults." },
    failed: "Failed to save default settings",
  });
  const { control, register, setValue, getValues } = form;
  const mode = useController({ control, name: "audioMode" }).field;
  const videoGain = useController({ control, name: "videoGain" }).field;
  const musicGain = useController({ control, name: "musicGain" }).field;
  return (
    <SettingsSection
      hash="defaults"
      text="Starting values for new jobs. Options you haven't changed here use the defaults of the Create Jobs screen."
      onSubmit={handleSubmit}
      isEdited={isEdited}
    >
      <div className="grid gap-x-6 gap-y-5 desk:grid-cols-2">
        <NumberField
          {...register("variants", {
            onBlur: () => {
              const read = String(readVariants(getValues("variants")));
              setValue("variants", read, { shouldDirty: true });
            },
          })}
          label="Default variants"
          hint={`${DEFAULT_VARIANTS_RANGE.least}-${DEFAULT_VARIANTS_RANGE.most} per video, 1-${RECOMMENDED_VARIANTS} recommended`}
        />
        <SegmentedField
          label="Default audio mode"
          options={[
            { value: "replace", label: "Replace" },
            { value: "mix", label: "Mix" },
          ]}
          value={mode.value}
          onChange={mode.onChange}
        />
        <Slider label="Default video volume" value={videoGain.value} onChange={videoGain.onChange} />
        <Slider label="Default music volume" value={musicGain.value} onChange={musicGain.onChange} />
      </div>
      <div>
        <Button type="submit" look={isEdited ? "primary" : "neutral"} isBusy={isBusy}>
          Save defaults
        </Button>
      </div>
    </SettingsSection>
  );
}
