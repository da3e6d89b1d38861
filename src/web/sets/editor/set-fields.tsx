import { useDeferredValue, type ChangeEvent, type ClipboardEvent } from "react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { TextAreaField } from "../../ui/fields/text-area-field.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import type { SetForm } from "./set-form.ts";
import type { SetKind } from "../set-kind.ts";
import { SplitButton } from "./splitting/split-button.tsx";

export function SetFields({ kind, form }: { kind: SetKind; form: UseFormReturn<SetForm> }) {
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
