import { type ChangeEvent, type ClipboardEvent, useDeferredValue, useState } from "react";
import { useForm, type UseFormReturn, useWatch } from "react-hook-form";
import type { SavedSet } from "../../api/set-tables.ts";
import { EditorSheet } from "../../editors/editor-sheet.tsx";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { TextAreaField } from "../../ui/fields/text-area-field.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { useProblemToast, useToast } from "../../ui/toasts/use-toast.ts";
import type { SetKind } from "../set-kind.ts";
import { useSaveSet } from "../use-sets.ts";
import { checkSetForm, isSameVersion, readSetForm, type SetForm, toSetForm } from "./set-form.ts";
import { SplitButton } from "./splitting/split-button.tsx";

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

function SetFields({ kind, form }: { kind: SetKind; form: UseFormReturn<SetForm> }) {
  const { errors } = form.formState;
  const { texts } = kind;
  // In screen order: the first invalid field gets focus.
  const name = form.register("name");
  const { onChange, ...area } = form.register("text");

  function handleChange(event: ChangeEvent<HTMLTextAreaElement>) {
    const { target } = event;
    const typed = kind.whenTyped({ text: target.value, caret: target.selectionEnd });
    if (typed) {
      target.value = typed.text;
      target.setSelectionRange(typed.caret, typed.caret);
    }
    void onChange(event);
  }
  function handlePaste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const split = kind.whenPasted(event.currentTarget.value, event.clipboardData.getData("text/plain"));
    if (split === null) return;
    event.preventDefault();
    form.setValue("text", split, { shouldDirty: true });
  }
  return (
    <>
      <TextField
        {...name}
        label="Name"
        dir="auto"
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form was asked for, and this is where it begins
        autoFocus
        error={errors.name?.message}
      />
      <TextAreaField
        {...area}
        label={texts.itemsLabel}
        rows={12}
        placeholder={texts.itemsPlaceholder}
        // each line has its own text direction
        className="max-h-[56dvh]! [unicode-bidi:plaintext]"
        hint={<ItemCount kind={kind} form={form} />}
        error={errors.text?.message}
        onChange={handleChange}
        onPaste={handlePaste}
      />
      <SplitCaptions form={form} />
    </>
  );
}

/** Captions only: links are split while typing. */
function SplitCaptions({ form: { control, setValue } }: { form: UseFormReturn<SetForm> }) {
  const toast = useToast();
  const text = useWatch({ control, name: "text" });
  const write = (next: string) => setValue("text", next, { shouldDirty: true });
  return (
    <SplitButton
      text={text}
      onSplit={(split, message) => {
        write(split);
        toast.show({ ...message, action: { label: "Undo", onClick: () => write(text) } });
      }}
    />
  );
}

function ItemCount({ kind, form }: { kind: SetKind; form: UseFormReturn<SetForm> }) {
  // Deferred, so that counting a long text does not slow typing.
  const text = useDeferredValue(useWatch({ control: form.control, name: "text" }));
  const count = kind.split(text).length;
  return (
    <span className="tnum">
      {count > 0 && `${pluralize(count, kind.item)} · `}
      {kind.texts.itemsHint}
    </span>
  );
}
