import type { SettingsResponse } from "#contract/settings/settings.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { TextAreaField } from "../../../ui/fields/text-area-field.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { useSettingsForm } from "../use-settings-form.ts";
import { explainNames, readNames, writeNames } from "./names-form.ts";

export function NamesSection({ settings }: { settings: SettingsResponse }) {
  const { form, isEdited, isBusy, handleSubmit } = useSettingsForm(settings, {
    toForm: ({ transcript_names: names }) => ({ names: writeNames(names) }),
    toChange: ({ names }) => ({ transcript_names: readNames(names) }),
    saved: { title: "Names Saved", description: "New transcripts and captions will use them." },
    failed: "Couldn't save the names",
    showsServerMessage: true,
  });
  return (
    <SettingsSection
      hash="names"
      text="People, brands and products. New transcripts and generated captions spell them like this."
      onSubmit={handleSubmit}
      isEdited={isEdited}
    >
      <TextAreaField
        {...form.register("names", { validate: explainNames })}
        label="Spellings"
        rows={3}
        placeholder={"Clipmill\nmac kinley -> McKinley"}
        hint="One per line. To fix a misspelling: wrong spelling -> name."
        error={form.formState.errors.names?.message}
      />
      <div>
        <Button type="submit" look={isEdited ? "primary" : "neutral"} isBusy={isBusy}>
          Save names
        </Button>
      </div>
    </SettingsSection>
  );
}
