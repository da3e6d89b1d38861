import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { KeyState, ServiceKey } from "#contract/settings.ts";
import { formatShortDate } from "../../jobs/short-date.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { KeyTest } from "./key-test.tsx";
import { useOneAtATime } from "./use-one-at-a-time.ts";

const TEXTS: Record<ServiceKey, { label: string; use: string; loss: string }> = {
  google_drive_key: {
    label: "Google Drive API key",
    use: "Downloads are steadier with it",
    loss: "Videos are then fetched by Google Drive's public download address.",
  },
  openai_key: {
    label: "OpenAI API key",
    use: "Writes captions",
    loss: "Captions cannot be generated until another one is saved.",
  },
};

/** A key: what is known of the saved one, a field for a new one, and ways to test and to remove it. */
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
  const { isBusy, run } = useOneAtATime();
  return (
    <div className="grid gap-2">
      <TextField
        {...form.register(name, { validate: explainKey })}
        label={label}
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder={state.set ? "Type another one to replace it" : undefined}
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

/** The rule that the server has, too. */
function explainKey(typed: string): true | string {
  return /^[\x21-\x7e]*$/.test(typed.trim()) || "An API key has only plain letters, digits and signs, and no spaces.";
}

function describeKey({ set, last4, updatedAt }: KeyState, use: string): string {
  if (!set) return `Not set. ${use}.`;
  const end = last4 === null ? "Saved" : `Saved, ends in ${last4}`;
  return updatedAt === null ? end : `${end} · ${formatShortDate(updatedAt)}`;
}
