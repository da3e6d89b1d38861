import { useQueryClient } from "@tanstack/react-query";
import { useForm, useWatch } from "react-hook-form";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { saveSettings, settingsKey } from "../../../api/functions/settings/settings.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { SettingsSection } from "../settings-section.tsx";
import { explainKey, KeyField, type KeyTexts } from "./key-field.tsx";

/** Keys of models' own servers are entered with their addresses. */
const NAMES = ["google_drive_key", "openai_key"] as const;
type Name = (typeof NAMES)[number];

const NOTHING_TYPED: Record<Name, string> = { google_drive_key: "", openai_key: "" };

const TEXTS: Record<Name, KeyTexts> = {
  google_drive_key: {
    label: "Google Drive API key",
    title: "Google Drive API key",
    use: "Makes downloads more reliable",
    loss: "Videos will be downloaded through their public Google Drive links instead.",
  },
  openai_key: {
    label: "OpenAI API key",
    title: "OpenAI API key",
    use: "Needed to generate and translate captions",
    loss: "You can't generate captions until you save another key.",
  },
};

/** Clears keys after sending; the server never returns them. */
export function ApiKeysSection({ settings }: { settings: SettingsResponse }) {
  const form = useForm({ defaultValues: NOTHING_TYPED });
  const toast = useToast();
  const client = useQueryClient();
  const { isBusy, run } = useExclusiveAction();
  const typed = useWatch({ control: form.control });
  const { isDirty, errors } = form.formState;

  async function saveTyped(keys: Record<Name, string>) {
    try {
      client.setQueryData(settingsKey, await saveSettings(keys));
    } catch {
      return toast.show({ title: "Error", description: "Failed to save API keys", variant: "destructive" });
    }
    form.reset(NOTHING_TYPED);
    return toast.show({
      title: "API Keys Saved",
      description: "Your API keys have been securely stored",
      variant: "success",
    });
  }

  return (
    <SettingsSection
      hash="api-keys"
      text="Keys are stored encrypted and never shown again."
      isEdited={isDirty && !isBusy}
      onSubmit={(event) =>
        void form.handleSubmit((keys) =>
          run(async () => {
            await saveTyped(keys);
          }),
        )(event)
      }
    >
      {NAMES.map((name) => (
        <KeyField
          key={name}
          name={name}
          texts={TEXTS[name]}
          state={settings[name]}
          field={form.register(name, { validate: explainKey })}
          typed={typed[name] ?? ""}
          error={errors[name]?.message}
        />
      ))}
      <div className="flex items-center gap-3">
        <Button type="submit" look={isDirty ? "primary" : "neutral"} disabled={!isDirty} isBusy={isBusy}>
          Save API keys
        </Button>
        {!isDirty && <span className="text-12 text-ink-3">Enter a key to save</span>}
      </div>
    </SettingsSection>
  );
}
