import type { ClipboardEvent, SyntheticEvent } from "react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import type { CheckCaptionsResponse } from "#contract/calls.ts";
import { TextAreaField } from "../../../ui/fields/text-area-field.tsx";
import { CaptionNotes } from "../../../sets/editor/caption-notes.tsx";
import { splitPastedCaptions } from "../../../sets/editor/splitting/split-at-commas.ts";
import { SplitButton } from "../../../sets/editor/splitting/split-button.tsx";
import { CaptionLook } from "./caption-look.tsx";
import { captionAtCaret } from "./caption-at-caret.ts";
import { ContentSection } from "../content-section.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { describeUse } from "../plan/describe-plan.ts";
import { Generator } from "./generator.tsx";
import type { JobForm } from "../draft/job-form.ts";
import { SaveSetButton } from "../sets/save-set-button.tsx";
import { quoteName } from "../../../jobs/row/cut-text.ts";
import { SetPicker } from "../sets/set-picker.tsx";
import type { ChosenSet } from "../sets/use-chosen-set.ts";
import type { SavedSets } from "../draft/use-initial-data.ts";

/** `places`: number of variants that use the captions in turn. */
export function CaptionsSection({
  form,
  isOn,
  captions,
  places,
  check,
  saved,
  chosen,
  onEdit,
}: {
  form: UseFormReturn<JobForm>;
  isOn: boolean;
  captions: string[];
  places: number;
  check: CheckCaptionsResponse;
  saved: SavedSets;
  chosen: ChosenSet;
  onEdit: (caption: number) => void;
}) {
  const text = useWatch({ control: form.control, name: "captions" });
  function handlePaste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const split = splitPastedCaptions(event.currentTarget.value, event.clipboardData.getData("text/plain"));
    if (split === null) return;
    event.preventDefault();
    chosen.write(split);
  }
  function handleCaret({ currentTarget: { value, selectionEnd } }: SyntheticEvent<HTMLTextAreaElement>) {
    onEdit(captionAtCaret(value, selectionEnd, chosen.set?.items));
  }
  return (
    <ContentSection
      title="Captions"
      isOn={isOn}
      registration={form.register("captionsEnabled")}
      tools={
        <>
          <SetPicker kind="caption" saved={saved} chosen={chosen} />
          {isOn && <SaveSetButton kind="caption" items={captions} saved={saved} chosen={chosen} />}
          {isOn && <Generator form={form} saved={saved} chosen={chosen} />}
        </>
      }
    >
      <TextAreaField
        {...form.register("captions", { onChange: chosen.forget })}
        label="Captions"
        isLabelHidden
        rows={4}
        spellCheck
        placeholder="One caption per line"
        // Each line gets its own text direction.
        className="[unicode-bidi:plaintext]"
        hint={describeHint(captions.length, places, chosen.set?.name)}
        onPaste={handlePaste}
        onSelect={handleCaret}
        onInput={handleCaret}
      />
      <SplitButton text={text} onSplit={chosen.rewrite} />
      <CaptionNotes check={check} />
      <CaptionLook form={form} />
    </ContentSection>
  );
}

function describeHint(captions: number, places: number, set: string | undefined): string {
  if (captions === 0) return "One caption per line. Variants use them in turn.";
  const count = `${pluralize(captions, "caption")}${set === undefined ? ", one per line" : ` from the set ${quoteName(set)}`}.`;
  if (places === 0) return count;
  const times = describeUse(captions, places, "time");
  if (!times) return `${count} The first ${places} will be used.`;
  return captions === 1 ? count : `${count} Each is used ${times}.`;
}
