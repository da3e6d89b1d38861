import type { SettingsResponse, TranscriptionSetting } from "#contract/settings/settings.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { TextAreaField } from "../../../ui/fields/text-area-field.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { useSettingsForm } from "../use-settings-form.ts";
import { explainAddress, explainNames, toChange, toForm } from "./transcription-form.ts";

const VARIABLES: Record<TranscriptionSetting, string> = {
  transcription_base_url: "OPENAI_TRANSCRIPTION_BASE_URL",
  transcription_model: "OPENAI_TRANSCRIPTION_MODEL",
};

/** For subtitles from speech. */
export function TranscriptionSection({ settings }: { settings: SettingsResponse }) {
  const { form, isEdited, isBusy, handleSubmit } = useSettingsForm(settings, {
    toForm,
    toChange,
    saved: { title: "Transcription Saved", description: "New transcripts use these settings." },
    failed: "Couldn't save the transcription settings",
    showsServerMessage: true,
  });
  const fixed = (name: TranscriptionSetting, hint: string) => {
    const isFixed = settings.fixed_settings.includes(name);
    return { readOnly: isFixed, hint: isFixed ? `Set by ${VARIABLES[name]} in the server's environment.` : hint };
  };
  const { errors } = form.formState;
  return (
    <SettingsSection
      hash="transcription"
      text="Turns speech into subtitles. Without a server address, Clipmill uses your OpenAI API key."
      onSubmit={handleSubmit}
      isEdited={isEdited}
    >
      <div className="grid gap-x-6 gap-y-5 desk:grid-cols-2">
        <TextField
          {...form.register("transcription_base_url", { validate: explainAddress })}
          {...fixed(
            "transcription_base_url",
            "An OpenAI-compatible server. Leave empty to use OpenAI. Changing the address deletes the saved key.",
          )}
          label="Server address"
          type="url"
          inputMode="url"
          placeholder="https://api.groq.com/openai/v1"
          autoComplete="off"
          spellCheck={false}
          className="raw"
          error={errors.transcription_base_url?.message}
        />
        <TextField
          {...form.register("transcription_model")}
          {...fixed("transcription_model", "Must return word timestamps. Leave empty to use a Whisper model.")}
          label="Model"
          placeholder="whisper-1"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          className="raw"
        />
      </div>
      <TextAreaField
        {...form.register("names", { validate: explainNames })}
        label="Names"
        rows={3}
        placeholder={"Clipmill\nmac kinley -> McKinley"}
        hint="One per line, spelled as they should appear in new transcripts. To fix a misspelling: wrong spelling -> name."
        error={errors.names?.message}
      />
      <div>
        <Button type="submit" look={isEdited ? "primary" : "neutral"} isBusy={isBusy}>
          Save transcription
        </Button>
      </div>
    </SettingsSection>
  );
}
