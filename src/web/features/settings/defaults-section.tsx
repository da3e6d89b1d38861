import { useQueryClient } from "@tanstack/react-query";
import { useController, useForm } from "react-hook-form";
import { DEFAULT_VARIANTS_RANGE, type SettingsResponse } from "#contract/settings.ts";
import { saveSettings, settingsKey } from "../../api/settings.ts";
import { Button } from "../../ui/button.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Slider } from "../../ui/slider.tsx";
import { useToast } from "../../ui/use-toast.ts";
import { type DefaultsForm, readVariants, toForm, toPreferences } from "./defaults-form.ts";
import { SettingsSection } from "./settings-section.tsx";
import { useOneAtATime } from "./use-one-at-a-time.ts";

/** What the job screen starts from. */
export function DefaultsSection({ settings }: { settings: SettingsResponse }) {
  const { control, register, setValue, getValues, handleSubmit, reset, formState } = useForm<DefaultsForm>({
    values: toForm(settings),
    // Settings that are read again do not take away what is being changed.
    resetOptions: { keepDirtyValues: true },
  });
  const mode = useController({ control, name: "audioMode" }).field;
  const videoGain = useController({ control, name: "videoGain" }).field;
  const musicGain = useController({ control, name: "musicGain" }).field;
  const toast = useToast();
  const client = useQueryClient();
  const { isBusy, run } = useOneAtATime();

  async function save(form: DefaultsForm) {
    try {
      const saved = await saveSettings(toPreferences(form));
      reset(toForm(saved));
      client.setQueryData(settingsKey, saved);
      toast.show({ title: "Defaults Saved", description: "New jobs start from them.", variant: "success" });
    } catch {
      toast.show({ title: "Error", description: "Failed to save default settings", variant: "destructive" });
    }
  }
  return (
    <SettingsSection
      title="Default Processing Options"
      text="What the job screen starts from. Each job can still choose otherwise."
      onSubmit={(event) => void handleSubmit((form) => run(() => save(form)))(event)}
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
        <div className="grid content-start gap-1.5">
          <span className="font-medium text-ink" aria-hidden>
            Default audio mode
          </span>
          <Segmented
            label="Default audio mode"
            options={[
              { value: "replace", label: "Replace" },
              { value: "mix", label: "Mix" },
            ]}
            value={mode.value}
            onChange={mode.onChange}
          />
        </div>
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
