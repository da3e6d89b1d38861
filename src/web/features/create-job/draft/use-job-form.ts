import { useEffect, useEffectEvent, useMemo } from "react";
import { useForm, useWatch, type UseFormReturn } from "react-hook-form";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { EMPTY_FORM, FIELDS_OF_ONE_JOB, type JobForm } from "./job-form.ts";
import { freshForm, preferredFields } from "./preferences.ts";
import { isSameForm } from "./same-form.ts";
import { useDraftKeeper, useDraftStore } from "./use-draft.ts";

export type JobFormState = {
  form: UseFormReturn<JobForm>;
  values: JobForm;
  /** True while the operator has entered nothing. */
  isFresh: boolean;
  /** False if storage is full or blocked, or the draft is too large. */
  isDraftKept: boolean;
  clearStarted: (sent: JobForm) => void;
  clearDraft: () => void;
  /** Replaces the form; the toast offers Undo. */
  replaceForm: (next: JobForm, message: { title: string; description: string }) => void;
};

/** Starts with the saved draft, or else the saved defaults, and saves changes as a draft. */
export function useJobForm(settings: SettingsResponse | undefined): JobFormState {
  const toast = useToast();
  const { drafts, restored } = useDraftStore();
  const form = useForm<JobForm>({ defaultValues: restored ?? EMPTY_FORM });
  // The type ignores that every field has a default.
  const values = useWatch({ control: form.control }) as JobForm;
  const fresh = useMemo(() => freshForm(settings), [settings]);
  const isFresh = isSameForm(values, fresh);
  usePreferences(form, restored ? undefined : settings);
  const { isKept } = useDraftKeeper(drafts, values, fresh);

  function clearStarted(sent: JobForm) {
    drafts.remove();
    // Input typed while the request was in flight belongs to the next job.
    for (const field of FIELDS_OF_ONE_JOB)
      if (form.getValues(field) === sent[field]) form.setValue(field, EMPTY_FORM[field]);
  }
  function replaceForm(next: JobForm, message: { title: string; description: string }) {
    const before = form.getValues();
    const undo = () => {
      drafts.write(before);
      form.reset(before);
    };
    form.reset(next);
    toast.show({ ...message, action: isFresh ? undefined : { label: "Undo", onClick: undo } });
  }
  function clearDraft() {
    replaceForm(fresh, { title: "Draft Cleared", description: "All fields have been reset." });
    drafts.remove();
    // The clicked button disappears, and the fields register again with the next render.
    setTimeout(() => form.setFocus("jobName"));
  }
  return { form, values, isFresh, isDraftKept: isKept, clearStarted, clearDraft, replaceForm };
}

/** Fills untouched fields with saved defaults once they load. */
function usePreferences({ getValues, setValue }: UseFormReturn<JobForm>, settings: SettingsResponse | undefined) {
  const fill = useEffectEvent(() => {
    const preferred = preferredFields(settings);
    for (const name of Object.keys(preferred) as ("variants" | "audioMode" | "videoGain" | "musicGain")[]) {
      const value = preferred[name];
      if (value !== undefined && getValues(name) === EMPTY_FORM[name]) setValue(name, value);
    }
  });
  useEffect(() => {
    if (settings) fill();
  }, [settings]);
}
