import { useDeferredValue, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import type { SavedSet } from "../../api/set-tables.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { ErrorBox } from "../../ui/states/error-box.tsx";
import { Sheet } from "../../ui/dialogs/sheet.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { WarningNote } from "../../ui/states/warning-note.tsx";
import { isSameVersion } from "./save-set.ts";
import { checkSetForm, readSetForm, type SetForm, toSetForm } from "./set-form.ts";
import type { SetKind } from "../set-kind.ts";
import { SetFields } from "./set-fields.tsx";
import { useLeaveConfirmation } from "./use-leave-confirmation.ts";
import { useSaveSet } from "../use-sets.ts";

/**
 * Edits a set, or a new one if `set` is null. `sets` is the current list, which shows changes and deletions elsewhere.
 * Typed text is kept either way.
 */
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
  const toast = useToast();
  const { texts } = kind;
  const [initial] = useState(() => toSetForm(set));
  const read = (values: SetForm) => readSetForm(values, initial, set, kind);
  const form = useForm<SetForm>({
    defaultValues: initial,
    resolver: (values) => checkSetForm(values, read(values), kind),
  });
  const { isDirty, errors } = form.formState;
  const { save, isPending, isSaved, error } = useSaveSet(kind, onClose);
  const leave = useLeaveConfirmation(isOpen && isDirty && !isSaved, onClose);

  const current = set && sets?.find(({ id }) => id === set.id);
  const isDeleted = set !== null && sets !== undefined && !current;
  const isChanged = Boolean(set && current && !isSameVersion(set, current));

  function handleValid(values: SetForm) {
    save({ opened: isDeleted ? null : set, draft: read(values) });
  }
  function handleInvalid(problems: typeof errors) {
    if (problems.name?.type !== "required" && problems.text?.type !== "required") return;
    toast.show({ title: "Error", description: texts.needed, variant: "destructive" });
  }
  return (
    <Sheet
      isOpen={isOpen}
      title={set ? texts.editTitle : texts.createTitle}
      returnFocusTo={returnFocusTo}
      onSubmit={(event) => void form.handleSubmit(handleValid, handleInvalid)(event)}
      onClose={leave.ask}
      footer={
        <>
          <Button look="quiet" onClick={leave.ask}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            {labelOfSave(set !== null, isDeleted)}
          </Button>
        </>
      }
    >
      {isDeleted && !isSaved && <Note text={texts.deletedWhileEditing} />}
      {isChanged && !isSaved && <Note text={texts.changedWhileEditing} />}
      <SetFields kind={kind} form={form} />
      <Warnings kind={kind} form={form} />
      {error && (
        <div role="alert">
          <ErrorBox text={error.message} />
        </div>
      )}
      <ConfirmDialog
        isOpen={leave.isAsking}
        title="Discard changes?"
        text="Your changes to this set won't be saved."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={leave.confirm}
        onClose={leave.stay}
      />
    </Sheet>
  );
}

function labelOfSave(isEditing: boolean, isDeleted: boolean): string {
  if (!isEditing) return "Create set";
  return isDeleted ? "Save as new set" : "Save changes";
}

function Note({ text }: { text: string }) {
  return (
    <div role="alert">
      <WarningNote text={text} />
    </div>
  );
}

function Warnings({ kind, form }: { kind: SetKind; form: ReturnType<typeof useForm<SetForm>> }) {
  const text = useDeferredValue(useWatch({ control: form.control, name: "text" }));
  return <kind.Warnings items={kind.split(text)} />;
}
