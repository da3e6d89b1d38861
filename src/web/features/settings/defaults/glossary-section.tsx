import type { SettingsResponse } from "#contract/settings/settings.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { TextAreaField } from "../../../ui/fields/text-area-field.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { useSettingsForm } from "../use-settings-form.ts";
import { readGlossaryText, toGlossaryText } from "./glossary-form.ts";

export function GlossarySection({ settings }: { settings: SettingsResponse }) {
  const { form, isEdited, isBusy, handleSubmit } = useSettingsForm(settings, {
    toForm: ({ glossary }) => ({ text: toGlossaryText(glossary) }),
    toChange: ({ text }) => ({ glossary: readGlossaryText(text).terms }),
    saved: { title: "Glossary Saved", description: "New translations will use it." },
    failed: "Couldn't save the glossary",
  });
  const problem = readGlossaryText(form.watch("text")).problem ?? undefined;
  return (
    <SettingsSection
      hash="glossary"
      text="Terms that stay untranslated in captions, such as brand names, or always have the same translation."
      onSubmit={handleSubmit}
      isEdited={isEdited}
    >
      <TextAreaField
        {...form.register("text")}
        label="Terms"
        rows={4}
        placeholder={"Clipmill\nFlash sale = de: Blitzangebot; fr: Vente flash"}
        hint="One term per line. A term without a translation stays as it is."
        error={problem}
      />
      <div>
        <Button type="submit" look={isEdited ? "primary" : "neutral"} isBusy={isBusy} disabled={problem !== undefined}>
          Save glossary
        </Button>
      </div>
    </SettingsSection>
  );
}
