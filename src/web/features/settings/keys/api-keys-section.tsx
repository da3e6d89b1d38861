import { useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Control, useForm, type UseFormReturn, useWatch } from "react-hook-form";
import {
  type KeyState,
  SERVICE_KEYS,
  type ServiceKey,
  type SettingsResponse,
  type TestKeyResponse,
} from "#contract/settings/settings.ts";
import { CallError, UNREACHABLE } from "../../../api/functions/call-error.ts";
import { saveSettings, type SettingsChange, settingsKey, testKey } from "../../../api/functions/settings/settings.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { SettingsSection } from "../settings-section.tsx";

const NOTHING_TYPED: Record<ServiceKey, string> = { google_drive_key: "", openai_key: "", transcription_key: "" };

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
      hash="api-keys"
      text="Keys are stored encrypted and never shown again."
      isEdited={isDirty && !isBusy}
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

const TEXTS: Record<ServiceKey, { label: string; use: string; loss: string }> = {
  google_drive_key: {
    label: "Google Drive API key",
    use: "Makes downloads more reliable",
    loss: "Videos will be downloaded through their public Google Drive links instead.",
  },
  openai_key: {
    label: "OpenAI API key",
    use: "Needed to generate and translate captions",
    loss: "You can't generate captions until you save another key.",
  },
  transcription_key: {
    label: "Transcription server key",
    use: "Only needed if your own transcription server requires one",
    loss: "Speech is transcribed with your OpenAI key, or by your own server without a key.",
  },
};

function KeyField({
  name,
  form,
  state,
  onRemove,
}: {
  name: ServiceKey;
  form: UseFormReturn<Record<ServiceKey, string>>;
  state: KeyState;
  onRemove: () => Promise<void>;
}) {
  const { label, use, loss } = TEXTS[name];
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, run } = useExclusiveAction();
  return (
    <div className="grid gap-2">
      <KeyTest
        name={name}
        control={form.control}
        isSaved={state.set}
        field={
          <TextField
            {...form.register(name, { validate: explainKey })}
            label={label}
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder={state.set ? "Enter a new key to replace it" : undefined}
            hint={describeKey(state, use)}
            error={form.formState.errors[name]?.message}
          />
        }
      >
        {state.set && (
          <div className="-ml-2">
            <Button look="quiet" size="sm" isBusy={isBusy} onClick={() => setIsAsking(true)}>
              Remove key
            </Button>
          </div>
        )}
      </KeyTest>
      <ConfirmDialog
        isOpen={isAsking}
        title={`Remove the ${label}?`}
        text={loss}
        confirmLabel="Remove key"
        cancelLabel="Keep key"
        onConfirm={() => {
          setIsAsking(false);
          void run(onRemove);
        }}
        onClose={() => setIsAsking(false)}
      />
    </div>
  );
}

/** The server's rule. */
function explainKey(typed: string): true | string {
  return (
    /^[\x21-\x7e]*$/.test(typed.trim()) ||
    "An API key can contain only ASCII letters, digits and punctuation, without spaces."
  );
}

function describeKey({ set, last4, updatedAt }: KeyState, use: string): string {
  if (!set) return `Not set. ${use}.`;
  const end = last4 === null ? "Saved" : `Saved, ending in ${last4}`;
  return updatedAt === null ? end : `${end} · ${formatShortDate(updatedAt)}`;
}

/** Tests the typed key, or the saved one if the field is empty. */
function KeyTest({
  name,
  control,
  isSaved,
  field,
  children,
}: {
  name: ServiceKey;
  control: Control<Record<ServiceKey, string>>;
  isSaved: boolean;
  field: ReactNode;
  /** Below the field. */
  children: ReactNode;
}) {
  const typed = useWatch({ control, name }).trim();
  const { isBusy, run } = useExclusiveAction();
  const [result, setResult] = useState<(TestKeyResponse & { of: string }) | null>(null);
  // Hides results of another or a removed key.
  const shown = result && result.of === typed && (typed || isSaved) ? result : null;

  async function test() {
    setResult(null);
    setResult({ ...(await requestTest(name, typed)), of: typed });
  }
  return (
    <>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">{field}</div>
        <Button
          className="mt-[26px] shrink-0"
          disabled={!typed && !isSaved}
          isBusy={isBusy}
          onClick={() => void run(test)}
        >
          Test key
        </Button>
      </div>
      {children}
      <output className="text-12">
        {shown && (
          <span className={classNames("flex items-start gap-1.5", shown.isValid ? "text-completed" : "text-failed")}>
            <Icon icon={shown.isValid ? CircleCheck : CircleAlert} size={14} className="mt-px shrink-0" />
            <span className="min-w-0 wrap-anywhere">{shown.message}</span>
          </span>
        )}
      </output>
    </>
  );
}

async function requestTest(name: ServiceKey, key: string): Promise<TestKeyResponse> {
  try {
    return await testKey(name, key);
  } catch (error) {
    return { isValid: false, message: error instanceof CallError ? error.message : UNREACHABLE };
  }
}
