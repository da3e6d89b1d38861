import { useQueryClient } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { type FieldValues, useForm } from "react-hook-form";
import type { SettingsResponse } from "#contract/settings.ts";
import { saveSettings, type SettingsChange, settingsKey } from "../../api/settings.ts";
import { useToast } from "../../ui/use-toast.ts";
import { useOneAtATime } from "./use-one-at-a-time.ts";

/** A form over some of the settings, which says whether they were saved. */
export function useSettingsForm<Form extends FieldValues>(
  settings: SettingsResponse,
  how: {
    toForm: (settings: SettingsResponse) => Form;
    toChange: (form: Form) => SettingsChange;
    saved: { title: string; description: string };
    failed: string;
    onSaved?: () => void;
  },
) {
  const form = useForm<Form>({
    values: how.toForm(settings),
    // Settings that are read again do not take away what is being changed.
    resetOptions: { keepDirtyValues: true },
  });
  const toast = useToast();
  const client = useQueryClient();
  const { isBusy, run } = useOneAtATime();

  async function save(typed: Form) {
    try {
      const saved = await saveSettings(how.toChange(typed));
      form.reset(how.toForm(saved));
      client.setQueryData(settingsKey, saved);
      toast.show({ ...how.saved, variant: "success" });
      how.onSaved?.();
    } catch {
      toast.show({ title: "Error", description: how.failed, variant: "destructive" });
    }
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    void form.handleSubmit((typed) => run(() => save(typed)))(event);
  }
  return { form, isBusy, handleSubmit };
}
