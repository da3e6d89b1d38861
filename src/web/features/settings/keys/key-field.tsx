import { useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import type { KeyState, ServiceKey, TestKeyResponse } from "#contract/settings/settings.ts";
import { CallError, UNREACHABLE } from "../../../api/functions/call-error.ts";
import { saveSettings, settingsKey, testKey } from "../../../api/functions/settings/settings.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";

/** `title` names the key in a sentence, `use` follows "Not set.", `loss` is about removing the key. */
export type KeyTexts = { label: string; title: string; use: string; loss: string };

/** `canTest` is false while the service's address is not saved: another one would get the key. */
export function KeyField({
  name,
  texts: { label, title, use, loss },
  state,
  field,
  typed,
  error,
  canTest = true,
}: {
  name: ServiceKey;
  texts: KeyTexts;
  state: KeyState;
  field: UseFormRegisterReturn;
  typed: string;
  error: string | undefined;
  canTest?: boolean;
}) {
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, run } = useExclusiveAction();
  const remove = useRemoveKey(name);
  return (
    <div className="grid gap-2">
      <KeyTest
        name={name}
        typed={typed.trim()}
        isSaved={state.set}
        canTest={canTest}
        field={
          <TextField
            {...field}
            label={label}
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder={state.set ? "Enter a new key to replace it" : undefined}
            hint={describeKey(state, use)}
            error={error}
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
        title={`Remove the ${title}?`}
        text={loss}
        confirmLabel="Remove key"
        cancelLabel="Keep key"
        onConfirm={() => {
          setIsAsking(false);
          void run(remove);
        }}
        onClose={() => setIsAsking(false)}
      />
    </div>
  );
}

function useRemoveKey(name: ServiceKey): () => Promise<void> {
  const toast = useToast();
  const client = useQueryClient();
  return async () => {
    try {
      client.setQueryData(settingsKey, await saveSettings({ [name]: null }));
      toast.show({ title: "API Key Removed", description: "The key was deleted from Clipmill.", variant: "success" });
    } catch {
      toast.show({ title: "Error", description: "Failed to save API keys", variant: "destructive" });
    }
  };
}

/** The server's rule. */
export function explainKey(typed: string): true | string {
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
  typed,
  isSaved,
  canTest,
  field,
  children,
}: {
  name: ServiceKey;
  typed: string;
  isSaved: boolean;
  canTest: boolean;
  field: ReactNode;
  /** Below the field. */
  children: ReactNode;
}) {
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
          disabled={!canTest || (!typed && !isSaved)}
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
