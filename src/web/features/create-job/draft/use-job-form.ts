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
  /** True while there is nothing in it that an operator put there. */
  isFresh: boolean;
  /** False while what is typed is lost with the page: storage is full or closed, or it is too much. */
  isDraftKept: boolean;
  clearStarted: (sent: JobForm) => void;
  clearDraft: () => void;
  /** Puts other contents into the form; what was typed can be had back from the toast. */
  replaceForm: (next: JobForm, said: { title: string; description: string }) => void;
};

/** The form: it begins with the draft there is, else with the saved defaults, and is kept as a draft from then on. */
export function useJobForm(settings: SettingsResponse | undefined): JobFormState {
  const toast = useToast();
  const { drafts, restored } = useDraftStore();
  const form = useForm<JobForm>({ defaultValues: restored ?? EMPTY_FORM });
  // With defaults for all fields nothing is missing, which the type cannot know.
  const values = useWatch({ control: form.control }) as JobForm;
  const fresh = useMemo(() => freshForm(settings), [settings]);
  const isFresh = isSameForm(values, fresh);
  usePreferences(form, restored ? undefined : settings);
  const { isKept } = useDraftKeeper(drafts, values, fresh);

  function clearStarted(sent: JobForm) {
    drafts.remove();
    // what was typed while the job was on its way belongs to the next one
    for (const field of FIELDS_OF_ONE_JOB) if (form.getValues(field) === sent[field]) form.setValue(field, "");
  }
  function replaceForm(next: JobForm, said: { title: string; description: string }) {
    const before = form.getValues();
    const undo = () => {
      drafts.write(before);
      form.reset(before);
    };
    form.reset(next);
    toast.show({ ...said, action: isFresh ? undefined : { label: "Undo", onClick: undo } });
  }
  function clearDraft() {
    replaceForm(fresh, { title: "Draft Cleared", description: "The form is empty again." });
    drafts.remove();
    // The button is gone; the fields are registered anew with the next render.
    setTimeout(() => form.setFocus("jobName"));
  }
  return { form, values, isFresh, isDraftKept: isKept, clearStarted, clearDraft, replaceForm };
}

/** Puts saved defaults into the fields that nobody has touched, when they arrive. */
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
