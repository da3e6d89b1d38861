import { type UseFormReturn, useWatch } from "react-hook-form";
import { MODEL_KINDS, type ModelKind, type ModelSetting, variableOfModel } from "#contract/settings/models.ts";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { Disclosure } from "../../../ui/states/disclosure.tsx";
import { explainKey, KeyField } from "../keys/key-field.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { useSettingsForm } from "../use-settings-form.ts";
import { describeServer, explainAddress, type ModelsForm, toChange, toForm } from "./models-form.ts";

const TEXTS: Record<ModelKind, { title: string; use: string; model: string; placeholder: string; loss: string }> = {
  text: {
    title: "Text",
    use: "Generates captions, and translates captions and subtitles.",
    model: "Leave empty only with OpenAI.",
    placeholder: "llama-3.3-70b-versatile",
    loss: "Captions are generated and translated with your OpenAI key, or by your own server without a key.",
  },
  vision: {
    title: "Vision",
    use: "Writes captions for videos in Caption Lab.",
    model: "Must accept images. Leave empty only with OpenAI.",
    placeholder: "qwen3-vl",
    loss: "Captions for videos are written with your OpenAI key, or by your own server without a key.",
  },
  transcription: {
    title: "Transcription",
    use: "Turns speech into transcripts and subtitles.",
    model: "Must return word timestamps. Leave empty to use a Whisper model.",
    placeholder: "whisper-1",
    loss: "Speech is transcribed with your OpenAI key, or by your own server without a key.",
  },
};

/** Each kind can have a server of its own. */
export function ModelsSection({ settings }: { settings: SettingsResponse }) {
  const { form, isEdited, isBusy, handleSubmit } = useSettingsForm(settings, {
    toForm,
    toChange,
    saved: { title: "Models Saved", description: "New captions and transcripts use these settings." },
    failed: "Couldn't save the models",
    showsServerMessage: true,
  });
  const { errors } = form.formState;
  return (
    <SettingsSection
      hash="models"
      text="Clipmill uses OpenAI with your API key. Each kind of model can have another OpenAI-compatible server."
      onSubmit={handleSubmit}
      isEdited={isEdited}
    >
      <div className="grid gap-1">
        {MODEL_KINDS.map((kind) => (
          <Disclosure
            key={kind}
            level={3}
            title={TEXTS[kind].title}
            summary={
              errors[`${kind}_base_url`] || errors[`${kind}_key`]
                ? "Needs a correction"
                : describeServer(settings, kind)
            }
          >
            <ServerFields kind={kind} form={form} settings={settings} />
          </Disclosure>
        ))}
      </div>
      <div>
        <Button type="submit" look={isEdited ? "primary" : "neutral"} isBusy={isBusy}>
          Save models
        </Button>
      </div>
    </SettingsSection>
  );
}

function ServerFields({
  kind,
  form,
  settings,
}: {
  kind: ModelKind;
  form: UseFormReturn<ModelsForm>;
  settings: SettingsResponse;
}) {
  const { use, model, placeholder, loss, title } = TEXTS[kind];
  const [address, key] = [`${kind}_base_url`, `${kind}_key`] as const;
  const [typedAddress, typedKey] = useWatch({ control: form.control, name: [address, key] });
  const { errors } = form.formState;
  const fixed = (name: ModelSetting, hint: string) => {
    const isFixed = settings.fixed_settings.includes(name);
    return { readOnly: isFixed, hint: isFixed ? `Set by ${variableOfModel(name)} in the server's environment.` : hint };
  };
  return (
    <div className="grid gap-5 pt-1 pb-4">
      <p className="text-12 text-ink-3">{use}</p>
      <div className="grid gap-x-6 gap-y-5 desk:grid-cols-2">
        <TextField
          {...form.register(address, { validate: explainAddress })}
          {...fixed(address, "Leave empty to use OpenAI. Changing the address deletes the saved key.")}
          label="Server address"
          type="url"
          inputMode="url"
          placeholder="https://api.groq.com/openai/v1"
          autoComplete="off"
          spellCheck={false}
          className="raw"
          error={errors[address]?.message}
        />
        <TextField
          {...form.register(`${kind}_model`)}
          {...fixed(`${kind}_model`, model)}
          label="Model"
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          className="raw"
        />
      </div>
      <KeyField
        name={key}
        texts={{
          label: "Server key",
          title: `${title.toLowerCase()} server's key`,
          use: settings[address] === null ? "Your OpenAI API key is used" : "Only needed if the server requires one",
          loss,
        }}
        state={settings[key]}
        field={form.register(key, { validate: explainKey })}
        typed={typedKey}
        error={errors[key]?.message}
        canTest={typedAddress === (settings[address] ?? "")}
      />
    </div>
  );
}
