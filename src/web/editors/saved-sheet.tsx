import type { ReactNode } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { capitalize } from "../ui/text/capitalize.ts";
import { useToast } from "../ui/toasts/use-toast.ts";
import { EditorSheet } from "./editor-sheet.tsx";
import type { SavedItem, SavedList, SavedNoun } from "./saved-items.ts";
import { explainChange, useSaving } from "./use-saving.ts";

/** Adds or edits a connection or a destination. */
export function SavedSheet<Item extends SavedItem, Form extends FieldValues>({
  noun,
  hint,
  item,
  items,
  list,
  form,
  isDirty = form.formState.isDirty,
  prepare,
  save,
  onSaved,
  isOpen,
  onClose,
  children,
}: {
  noun: SavedNoun;
  hint: string;
  /** Null for a new one. */
  item: Item | null;
  /** The current list, which reveals changes elsewhere. */
  items: readonly Item[] | undefined;
  list: SavedList<Item>;
  form: UseFormReturn<Form>;
  isDirty?: boolean;
  /** Runs before the form is validated; false stops. */
  prepare?: () => Promise<boolean>;
  save: (values: Form) => Promise<Item>;
  onSaved?: ((saved: Item) => void) | undefined;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const { isBusy, failure, save: run } = useSaving(noun);
  const toast = useToast();

  async function submit(values: Form) {
    try {
      const saved = await save(values);
      list.put(saved);
      const title = `${capitalize(noun)} Saved`;
      toast.show({ title, description: `"${saved.name}" was saved.`, variant: "success" });
      onSaved?.(saved);
    } catch (error) {
      void list.refetch();
      throw error;
    }
    form.reset(values);
    onClose();
  }
  async function prepareAndSubmit() {
    if (!prepare || (await prepare())) await form.handleSubmit(submit)();
  }
  return (
    <EditorSheet
      noun={noun}
      title={item ? `Edit ${noun}` : `New ${noun}`}
      hint={hint}
      saveLabel={item ? "Save changes" : `Add ${noun}`}
      note={isOpen ? explainChange(noun, item, items) : null}
      isDirty={isDirty}
      onSubmit={() => void run(prepareAndSubmit)}
      {...{ isOpen, isBusy, failure, onClose }}
    >
      {children}
    </EditorSheet>
  );
}
