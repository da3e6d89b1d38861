import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, type SubmitEvent } from "react";
import { type FieldValues, useForm } from "react-hook-form";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { saveSettings, type SettingsChange, settingsKey } from "../../api/functions/settings/settings.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../ui/use-exclusive-action.ts";

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Saves `toChange`, updates the cached settings and shows a toast. Keeps the input on failure; one submit at a time.
 */
export function useSettingsForm<Form extends FieldValues>(
  settings: SettingsResponse,
  how: {
    toForm: (settings: SettingsResponse) => Form;
    /** Must contain only the fields in `edited`. */
    toChange: (form: Form, edited: ReadonlySet<string>) => SettingsChange;
    saved: { title: string; description: string };
    /** `showsServerMessage` prefers the server's message. */
    failed: string;
    showsServerMessage?: boolean;
    onSaved?: () => void;
  },
) {
  const form = useForm<Form>({
    values: how.toForm(settings),
    // Refetches keep fields that are being edited.
    resetOptions: { keepDirtyValues: true },
  });
  const [edited, setEdited] = useState(NOTHING);
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        // Normalizing a field on blur is not an edit.
        callback: ({ name, type }) => {
          if (type === "change" && name) setEdited((before) => new Set([...before, name]));
        },
      }),
    [form],
  );
  const toast = useToast();
  const client = useQueryClient();
  const { isBusy, run } = useExclusiveAction();

  async function save(typed: Form) {
    try {
      const saved = await saveSettings(how.toChange(typed, edited));
      // Keys are not returned: their fields become empty.
      form.reset(how.toForm(saved), { keepDirtyValues: false, keepFieldsRef: true });
      setEdited(NOTHING);
      client.setQueryData(settingsKey, saved);
      toast.show({ ...how.saved, variant: "success" });
      how.onSaved?.();
    } catch (error) {
      const reason = how.showsServerMessage && error instanceof CallError ? error.message : null;
      toast.show({ title: "Error", description: reason ?? how.failed, variant: "destructive" });
    }
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    void form.handleSubmit((typed) => run(() => save(typed)))(event);
  }
  // What is being saved is no reason to ask before leaving.
  return { form, isEdited: edited.size > 0 && !isBusy, isBusy, handleSubmit };
}
