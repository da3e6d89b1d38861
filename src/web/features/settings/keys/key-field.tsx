import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { KeyState, ServiceKey } from "#contract/settings/settings.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { KeyTest } from "./key-test.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";

const TEXTS: Record<ServiceKey, { label: string; use: string; loss: string }> = {
  google_drive_key: {
    label: "Google Drive API key",
    use: "Makes downloads more reliable",
    loss: "Videos will be downloaded through their public Google Drive links instead.",
  },
  openai_key: {
    label: "OpenAI API key",
    use: "Needed to generate captions",
    loss: "You can't generate captions until you save another key.",
  },
};

export function KeyField({
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
      <KeyTest name={name} control={form.control} isSaved={state.set}>
        {state.set && (
          <Button look="quiet" size="sm" isBusy={isBusy} onClick={() => setIsAsking(true)}>
            Remove key
          </Button>
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
