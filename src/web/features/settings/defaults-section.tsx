import { useController } from "react-hook-form";
import { DEFAULT_VARIANTS_RANGE, type SettingsResponse } from "#contract/settings.ts";
import { Button } from "../../ui/button.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { SegmentedField } from "../../ui/segmented-field.tsx";
import { Slider } from "../../ui/slider.tsx";
import { readVariants, toForm, toPreferences } from "./defaults-form.ts";
import { SettingsSection } from "./settings-section.tsx";
import { useSettingsForm } from "./use-settings-form.ts";

/** What the job screen starts from. */
export function DefaultsSection({ settings }: { settings: SettingsResponse }) {
  const { form, isBusy, handleSubmit } = useSettingsForm(settings, {
    toForm,
    toChange: toPreferences,
    saved: { title: "Defaults Saved", description: "New jobs start from them." },
    failed: "Failed to save default settings",
  });
  const { control, register, setValue, getValues, formState } = form;
  const mode = useController({ control, name: "audioMode" }).field;
  const videoGain = useController({ control, name: "videoGain" }).field;
  const musicGain = useController({ control, name: "musicGain" }).field;
  return (
    <SettingsSection
      title="Default Processing Options"
      text="What the job screen starts from. Each job can still choose otherwise."
      onSubmit={handleSubmit}
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
          hint={`${DEFAULT_VARIANTS_RANGE.least}-${DEFAULT_VARIANTS_RANGE.most} per video`}
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
        <Slider label="Default video gain" value={videoGain.value} onChange={videoGain.onChange} />
        <Slider label="Default music gain" value={musicGain.value} onChange={musicGain.onChange} />
      </div>
      <div>
        <Button type="submit" look={formState.isDirty ? "primary" : "neutral"} isBusy={isBusy}>
          Save Defaults
        </Button>
      </div>
    </SettingsSection>
  );
}
