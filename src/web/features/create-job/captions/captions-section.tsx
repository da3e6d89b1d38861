import { WandSparkles } from "lucide-react";
import { type ClipboardEvent, Suspense, type SyntheticEvent, useState } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import type { CheckCaptionsResponse } from "#contract/calls.ts";
import { quoteName } from "../../../jobs/row/cut-text.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { CaptionNotes } from "../../../sets/editor/caption-notes.tsx";
import { splitPastedCaptions } from "../../../sets/editor/splitting/split-at-commas.ts";
import { SplitButton } from "../../../sets/editor/splitting/split-button.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { TextAreaField } from "../../../ui/fields/text-area-field.tsx";
import { lazyPart } from "../../../ui/page/lazy-part.ts";
import { ContentSection } from "../content-section.tsx";
import type { JobForm } from "../draft/job-form.ts";
import type { SavedSets } from "../draft/use-initial-data.ts";
import { describeUse } from "../plan/describe-plan.ts";
import { SaveSetButton } from "../sets/save-set-button.tsx";
import { SetPicker } from "../sets/set-picker.tsx";
import type { ChosenSet } from "../sets/use-chosen-set.ts";
import { captionAtCaret } from "./caption-at-caret.ts";
import { CaptionLook } from "./caption-look.tsx";

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

const GeneratorSheet = lazyPart(() => import("./generator-sheet.tsx"));

function Generator(props: { form: UseFormReturn<JobForm>; saved: SavedSets; chosen: ChosenSet }) {
  const { form, saved, chosen } = props;
  const [isOpen, setIsOpen] = useState(false);
  // Stays mounted to animate out.
  const [wasOpened, setWasOpened] = useState(false);

  function open() {
    if (chosen.set) form.setValue("generator.setId", chosen.set.id);
    if (saved.isCurrent && saved.sets.length === 0) form.setValue("generator.mode", "custom");
    setIsOpen(true);
    setWasOpened(true);
  }
  return (
    <>
      <Button look="quiet" icon={WandSparkles} onClick={open}>
        Generate
      </Button>
      <Suspense>{wasOpened && <GeneratorSheet {...props} isOpen={isOpen} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}
