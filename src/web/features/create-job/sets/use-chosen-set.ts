import { useEffect } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { SavedSet } from "../../../api/set-tables.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import type { JobForm } from "../draft/job-form.ts";
import { quoteName } from "../../../jobs/row/cut-text.ts";
import { findChosenSet, SET_TEXTS, type SetKind, textOfItems } from "./set-texts.ts";
import type { SavedSets } from "../draft/use-initial-data.ts";

const SET_FIELDS = {
  caption: { text: "captions", id: "captionSetId", isOn: "captionsEnabled" },
  audio: { text: "audioLinks", id: "audioSetId", isOn: "audioEnabled" },
} as const satisfies Record<SetKind, { text: string; id: string; isOn: string }>;

export type ChosenSet = {
  /** Null unless the field contains the set unchanged. */
  set: SavedSet | null;
  /** Also turns the section on. */
  load: (set: SavedSet) => void;
  /** Chooses the set just saved from this field. */
  adopt: (set: SavedSet) => void;
  /** Also deselects the set. */
  write: (text: string) => void;
  /** Like `write`, with Undo in a toast. */
  rewrite: (text: string, message: { title: string; description: string }) => void;
  /** For the field's `onChange`. */
  forget: () => void;
};

/** Deselects the set once its text is edited or the set is changed or deleted. */
export function useChosenSet(
  form: UseFormReturn<JobForm>,
  values: JobForm,
  kind: SetKind,
  { sets, isCurrent }: SavedSets,
): ChosenSet {
  const toast = useToast();
  const { getValues, setValue } = form;
  const fields = SET_FIELDS[kind];
  const id = values[fields.id];
  const set = findChosenSet(sets, id, values[fields.text]);
  const isStale = isCurrent && id !== "" && !set;
  useEffect(() => {
    if (isStale) setValue(fields.id, "");
  }, [isStale, fields, setValue]);

  function write(text: string) {
    setValue(fields.text, text);
    setValue(fields.id, "");
  }
  function adopt(saved: SavedSet) {
    setValue(fields.text, textOfItems(saved.items));
    setValue(fields.id, saved.id);
  }
  function load(chosen: SavedSet) {
    const { [fields.text]: text, [fields.isOn]: wasOn } = getValues();
    const isTyped = text.trim() !== "" && !set;
    adopt(chosen);
    setValue(fields.isOn, true);
    const { loaded, item } = SET_TEXTS[kind];
    toast.show({
      title: loaded,
      description: `${quoteName(chosen.name)}: ${pluralize(chosen.items.length, item)}`,
      variant: "success",
      // Without Undo, typed text would be lost.
      action: isTyped
        ? {
            label: "Undo",
            onClick: () => {
              write(text);
              setValue(fields.isOn, wasOn);
            },
          }
        : undefined,
    });
  }
  function rewrite(text: string, message: { title: string; description: string }) {
    const { [fields.text]: before, [fields.id]: setBefore } = getValues();
    write(text);
    const undo = () => {
      setValue(fields.text, before);
      setValue(fields.id, setBefore);
    };
    toast.show({ ...message, action: { label: "Undo", onClick: undo } });
  }
  return { set, load, adopt, write, rewrite, forget: () => setValue(fields.id, "") };
}
