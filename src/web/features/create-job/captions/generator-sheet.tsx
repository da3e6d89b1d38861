import type { JobProblem } from "#contract/jobs/size-problem.ts";
import { useController, useWatch, type UseFormReturn } from "react-hook-form";
import { splitCaptions } from "#contract/sources/links.ts";
import { useAcceptedSources } from "../../../sources/use-accepted-sources.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { NumberField } from "../../../ui/fields/text-field.tsx";
import { SegmentedField } from "../../../ui/fields/segmented-field.tsx";
import { Select } from "../../../ui/menus/select.tsx";
import { Sheet } from "../../../ui/dialogs/sheet.tsx";
import { TextAreaField } from "../../../ui/fields/text-area-field.tsx";
import { useProblemToast, useToast } from "../../../ui/toasts/use-toast.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { OpenAiKeyNote } from "../../../sets/openai-key-note.tsx";
import { addCaptions, readCount, toGenerateRequest, missingGeneratorInput } from "./generator-form.ts";
import { type JobForm, readForm } from "../draft/job-form.ts";
import { describeSet } from "../sets/set-picker.tsx";
import { SET_TEXTS } from "../sets/set-texts.ts";
import type { ChosenSet } from "../sets/use-chosen-set.ts";
import { useGenerateCaptions } from "./use-generate-captions.ts";
import type { SavedSets } from "../draft/use-initial-data.ts";

const MODES = [
  { value: "reference", label: "Reference" },
  { value: "custom", label: "Custom" },
] as const;
const MODE_HINTS = {
  reference: "New captions in the style of a saved set.",
  custom: "New captions from your own prompt.",
} as const;
/** Lines wrap: a prompt is a paragraph, not a list. */
const WRAPPING = "whitespace-pre-wrap!";
const MAX_PROMPT_CHARACTERS = 4_000;

export default function GeneratorSheet({
  form,
  saved,
  chosen,
  isOpen,
  onClose,
}: {
  form: UseFormReturn<JobForm>;
  saved: SavedSets;
  chosen: ChosenSet;
  isOpen: boolean;
  onClose: () => void;
}) {
  const toast = useToast();
  const accepted = useAcceptedSources();
  const { control, getValues, register, setValue } = form;
  const { generate, cancel, isGenerating } = useGenerateCaptions();
  const generator = useWatch({ control, name: "generator" });
  const mode = useController({ control, name: "generator.mode" }).field;
  const set = saved.sets.find(({ id }) => id === generator.setId) ?? null;
  const needs = missingGeneratorInput({ ...generator, setId: saved.isCurrent && !set ? "" : generator.setId });
  const problemToast = useProblemToast<JobProblem>(({ title }) => !isOpen || needs?.title !== title);

  async function handleGenerate() {
    if (needs) return problemToast.show(needs);
    if (generator.mode === "reference" && !set) {
      return toast.show({ ...SET_TEXTS.caption.gone, variant: "destructive" });
    }
    const { videos } = readForm(getValues(), null, accepted);
    const existing = splitCaptions(getValues("captions"));
    const captions = await generate(toGenerateRequest(generator, existing, set, videos.valid));
    if (!captions) return saved.reload();
    chosen.write(addCaptions(getValues("captions"), captions));
    setValue("captionsEnabled", true);
    toast.show({
      title: "Captions Generated",
      description: `${pluralize(captions.length, "caption")} added`,
      variant: "success",
    });
    return onClose();
  }
  function handleClose() {
    cancel();
    onClose();
  }
  return (
    <Sheet
      isOpen={isOpen}
      title="Generate captions"
      hint="New captions are added below the existing ones. If the videos have transcripts, the captions fit them."
      onClose={handleClose}
      onSubmit={() => void handleGenerate()}
      footer={
        <>
          <Button look="quiet" onClick={isGenerating ? cancel : handleClose}>
            {isGenerating ? "Cancel generating" : "Close"}
          </Button>
          <Button type="submit" look="primary" disabled={needs !== null} isBusy={isGenerating}>
            {isGenerating ? "Generating..." : "Generate"}
          </Button>
        </>
      }
    >
      <OpenAiKeyNote kind="text" />
      <SegmentedField
        label="Mode"
        options={MODES}
        value={mode.value}
        hint={MODE_HINTS[mode.value]}
        onChange={mode.onChange}
      />
      {mode.value === "reference" ? (
        <ReferenceField saved={saved} id={generator.setId} onChange={(id) => setValue("generator.setId", id)} />
      ) : (
        <TextAreaField
          {...register("generator.prompt")}
          label="Prompt"
          rows={4}
          spellCheck
          maxLength={MAX_PROMPT_CHARACTERS}
          className={WRAPPING}
          hint={generator.prompt.trim() === "" ? "What the captions should be about." : undefined}
        />
      )}
      <div className="w-44">
        <NumberField
          {...register("generator.count", {
            onBlur: () => setValue("generator.count", String(readCount(getValues("generator.count")))),
          })}
          label="Count"
          hint="1 to 100"
        />
      </div>
      <TextAreaField
        {...register("generator.notes")}
        label="Notes"
        rows={2}
        spellCheck
        maxLength={MAX_PROMPT_CHARACTERS}
        className={WRAPPING}
        hint="Optional. Tone, audience, words to use or avoid."
      />
    </Sheet>
  );
}

function ReferenceField({ saved, id, onChange }: { saved: SavedSets; id: string; onChange: (id: string) => void }) {
  if (saved.sets.length === 0) {
    return <p className="text-12 text-ink-3">No saved caption sets yet. Save one, or use a prompt.</p>;
  }
  return (
    <div className="grid min-w-0 content-start justify-items-start gap-1.5">
      <span className="font-medium text-ink" aria-hidden>
        Caption set
      </span>
      <Select
        label="Caption set"
        placeholder="Select a caption set"
        options={saved.sets.map((set) => ({ value: set.id, label: describeSet(set) }))}
        value={saved.sets.some((set) => set.id === id) ? id : null}
        className="w-full min-w-0"
        onChange={onChange}
        onLost={() => onChange("")}
      />
    </div>
  );
}
