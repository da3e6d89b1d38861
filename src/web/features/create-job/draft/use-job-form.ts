import { startTransition, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useForm, type UseFormReturn } from "react-hook-form";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { EMPTY_FORM, FIELDS_OF_ONE_JOB, type JobForm, SECTIONS } from "./job-form.ts";
import type { Preset } from "#contract/presets/presets.ts";
import { withPreset } from "../presets/preset-form.ts";
import { freshForm } from "./preferences.ts";
import { isSameForm } from "./same-form.ts";
import { type OpenedDraft, useDraftKeeper } from "./use-draft.ts";

export type FormStart = OpenedDraft & {
  /** The job that the form changes; null for a new job. */
  changedId: string | null;
  /** That job's settings, unless a draft of the change was restored. */
  loaded: JobForm | null;
};

export type JobFormState = {
  form: UseFormReturn<JobForm>;
  values: JobForm;
  canClear: boolean;
  /** False if the draft is too large or storage fails. */
  isDraftKept: boolean;
  clearStarted: (sent: JobForm) => void;
  clearDraft: () => void;
  /** Shows a toast with Undo. */
  replaceForm: (next: JobForm, message: { title: string; description: string }) => void;
};

/**
 * A new job starts with the saved draft, the default preset or the saved defaults, in this order; a change with its own
 * draft or the job's settings. Saves drafts.
 */
export function useJobForm(
  { changedId, drafts, restored, loaded }: FormStart,
  settings: SettingsResponse | undefined,
  presets: readonly Preset[] | undefined,
): JobFormState {
  const toast = useToast();
  const isChange = changedId !== null;
  const initial = restored ?? loaded;
  const form = useForm<JobForm>({ defaultValues: initial ?? EMPTY_FORM });
  const values = useValues(form);
  const fresh = useMemo(
    () => (isChange ? (loaded ?? EMPTY_FORM) : freshForm(settings, presets)),
    [isChange, loaded, settings, presets],
  );
  const isFresh = isSameForm(values, fresh);
  const keepAll = useFreshFields(form, fresh, initial ? "complete" : [settings, presets].filter(Boolean).length);
  const { isKept, forget } = useDraftKeeper(drafts, values, fresh, () => valuesOf(form));

  function clearStarted(sent: JobForm) {
    forget();
    // The screen shows the job next.
    if (isChange) return;
    const preset = presets?.find(({ id }) => id === sent.presetId);
    const next = preset ? withPreset(EMPTY_FORM, preset) : EMPTY_FORM;
    // Input typed while the request was in flight belongs to the next job.
    for (const field of FIELDS_OF_ONE_JOB) {
      if (form.getValues(field) === sent[field]) form.setValue(field, next[field]);
    }
    for (const [text, isOn] of SECTIONS) {
      const isKept = isOn === "watermarkEnabled" && form.getValues("watermarkImage") !== "";
      if (!isKept && form.getValues(text) === next[text]) form.setValue(isOn, next[isOn]);
    }
  }
  function replaceForm(next: JobForm, message: { title: string; description: string }) {
    keepAll();
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
  return { form, values, canClear: !isFresh && !isChange, isDraftKept: isKept, clearStarted, clearDraft, replaceForm };
}

/** Follows the form. Input does not wait for what depends on it, which can be up to 10,000 videos. */
function useValues(form: UseFormReturn<JobForm>): JobForm {
  const [values, setValues] = useState(() => valuesOf(form));
  useEffect(() => {
    const take = () => setValues(valuesOf(form));
    // Fields may have changed before this effect.
    take();
    return form.subscribe({
      formState: { values: true },
      callback: ({ type }) => (type === "change" ? startTransition(take) : take()),
    });
  }, [form]);
  return values;
}

/** The form changes its own object in place. */
function valuesOf(form: UseFormReturn<JobForm>): JobForm {
  const values = form.getValues();
  return { ...values, generator: { ...values.generator } };
}

/**
 * Fills untouched fields once the defaults load, except in a form that started with values. Returns a function that
 * stops this.
 */
function useFreshFields(
  { getValues, setValue }: UseFormReturn<JobForm>,
  fresh: JobForm,
  loaded: number | "complete",
): () => void {
  const filled = useRef<JobForm | null>(EMPTY_FORM);
  const fill = useEffectEvent(() => {
    if (!filled.current) return;
    for (const name of Object.keys(fresh) as (keyof JobForm)[]) {
      if (getValues(name) === filled.current[name] && fresh[name] !== filled.current[name]) setValue(name, fresh[name]);
    }
    filled.current = fresh;
  });
  useEffect(() => {
    if (loaded !== "complete") fill();
  }, [loaded]);
  return () => {
    filled.current = null;
  };
}
