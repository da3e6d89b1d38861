import { useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { SERVICE_KEYS, type ServiceKey, type SettingsResponse } from "#contract/settings/settings.ts";
import { saveSettings, type SettingsChange, settingsKey } from "../../../api/functions/settings/settings.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { KeyField } from "./key-field.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";

const NOTHING_TYPED: Record<ServiceKey, string> = { google_drive_key: "", openai_key: "" };

/** Clears keys after sending; the server never returns them. */
export function ApiKeysSection({ settings }: { settings: SettingsResponse }) {
  const form = useForm({ defaultValues: NOTHING_TYPED });
  const toast = useToast();
  const client = useQueryClient();
  const { isBusy, run } = useExclusiveAction();
  const { isDirty } = form.formState;

  async function save(change: SettingsChange): Promise<boolean> {
    try {
      client.setQueryData(settingsKey, await saveSettings(change));
      return true;
    } catch {
      toast.show({ title: "Error", description: "Failed to save API keys", variant: "destructive" });
      return false;
    }
  }
  async function saveTyped(keys: Record<ServiceKey, string>) {
    if (!(await save(keys))) return;
    form.reset(NOTHING_TYPED);
    toast.show({
      title: "API Keys Saved",
      description: "Your API keys have been securely stored",
      variant: "success",
    });
  }
  async function remove(name: ServiceKey) {
    if (!(await save({ [name]: null }))) return;
    toast.show({ title: "API Key Removed", description: "The key was deleted from Clipmill.", variant: "success" });
  }

  return (
    <SettingsSection
      title="API Keys"
      text="Keys are stored encrypted and never shown again."
      onSubmit={(event) => void form.handleSubmit((keys) => run(() => saveTyped(keys)))(event)}
    >
      {SERVICE_KEYS.map((name) => (
        <KeyField key={name} name={name} form={form} state={settings[name]} onRemove={() => remove(name)} />
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
