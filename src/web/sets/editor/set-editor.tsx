import { useDeferredValue, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import type { SavedSet } from "../../api/set-tables.ts";
import { EditorSheet } from "../../editors/editor-sheet.tsx";
import { useProblemToast } from "../../ui/toasts/use-problem-toast.ts";
import { isSameVersion } from "./save-set.ts";
import { checkSetForm, readSetForm, type SetForm, toSetForm } from "./set-form.ts";
import type { SetKind } from "../set-kind.ts";
import { SetFields } from "./set-fields.tsx";
import { useSaveSet } from "../use-sets.ts";

/** `set` is null for a new set. `sets` is the current list, which reveals changes elsewhere; typed text is kept. */
export function SetEditor({
  kind,
  set,
  sets,
  isOpen,
  returnFocusTo,
  onClose,
}: {
  kind: SetKind;
  set: SavedSet | null;
  sets: readonly SavedSet[] | undefined;
  isOpen: boolean;
  returnFocusTo: () => HTMLElement | null;
  onClose: () => void;
}) {
  const { texts } = kind;
  const [initial] = useState(() => toSetForm(set));
  const read = (values: SetForm) => readSetForm(values, initial, set, kind);
  const form = useForm<SetForm>({
    defaultValues: initial,
    resolver: (values) => checkSetForm(values, read(values), kind),
  });
  const { isDirty, errors } = form.formState;
  const needed = useProblemToast(
    () => !isOpen || (errors.name?.type !== "required" && errors.text?.type !== "required"),
  );
  const { save, isPending, isSaved, error } = useSaveSet(kind, onClose);

  const current = set && sets?.find(({ id }) => id === set.id);
  const isDeleted = set !== null && sets !== undefined && !current;
  const isChanged = Boolean(set && current && !isSameVersion(set, current));
  const changeElsewhere = isDeleted ? texts.deletedWhileEditing : isChanged ? texts.changedWhileEditing : null;

  function handleValid(values: SetForm) {
    save({ opened: isDeleted ? null : set, draft: read(values) });
  }
  function handleInvalid(problems: typeof errors) {
    if (problems.name?.type !== "required" && problems.text?.type !== "required") return;
    needed.show({ title: "Error", description: texts.needed });
  }
  return (
    <EditorSheet
      noun="set"
      title={set ? texts.editTitle : texts.createTitle}
      saveLabel={labelOfSave(set !== null, isDeleted)}
      note={isSaved ? null : changeElsewhere}
      failure={error?.message ?? null}
      isDirty={isDirty && !isSaved}
      isBusy={isPending}
      onSubmit={(event) => void form.handleSubmit(handleValid, handleInvalid)(event)}
      {...{ isOpen, returnFocusTo, onClose }}
    >
      <SetFields kind={kind} form={form} />
      <Warnings kind={kind} form={form} />
    </EditorSheet>
  );
}

function labelOfSave(isEditing: boolean, isDeleted: boolean): string {
  if (!isEditing) return "Create set";
  return isDeleted ? "Save as new set" : "Save changes";
}

function Warnings({ kind, form }: { kind: SetKind; form: ReturnType<typeof useForm<SetForm>> }) {
  const text = useDeferredValue(useWatch({ control: form.control, name: "text" }));
  return <kind.Warnings items={kind.split(text)} />;
}
