import type { SettingsResponse } from "#contract/settings/settings.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { useSettingsForm } from "../use-settings-form.ts";

export function PrefetchSection({ settings }: { settings: SettingsResponse }) {
  const { form, isEdited, isBusy, handleSubmit } = useSettingsForm(settings, {
    toForm: (from) => ({ isOn: from.prefetch_sources }),
    toChange: ({ isOn }) => ({ prefetch_sources: isOn }),
    saved: { title: "Setting Saved", description: "Applies immediately." },
    failed: "Couldn't save whether to fetch videos in advance",
  });
  return (
    <SettingsSection
      title="Downloads"
      text="Workers download the next videos while they encode, and videos in an open form before you start the job. Turn this off to download only what a video in progress needs."
      onSubmit={handleSubmit}
    >
      <div>
        <Switch {...form.register("isOn")} label="Fetch videos in advance" />
      </div>
      <div>
        <Button type="submit" look={isEdited ? "primary" : "neutral"} isBusy={isBusy}>
          Save
        </Button>
      </div>
    </SettingsSection>
  );
}
