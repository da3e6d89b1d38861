import { useWatch, type UseFormReturn } from "react-hook-form";
import { JOB_LIMITS, type Quality } from "#contract/jobs.ts";
import { Disclosure } from "../../ui/disclosure.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ChoiceField } from "./choice-field.tsx";
import { readSegmentSeconds, type JobForm, type ReadForm } from "./job-form.ts";
import { Step } from "./step.tsx";

const SEGMENTATIONS = { off: "Off", single: "Single", multiple: "Multiple" } as const;
const SEGMENTATION_HINTS = {
  off: "Every file is a whole video.",
  single: "One clip per variant, spread evenly over the video.",
  multiple: "The whole video, cut into consecutive clips.",
} as const satisfies Record<JobForm["segmentation"], string>;

const QUALITIES = { draft: "Draft", standard: "Standard", high: "High" } as const satisfies Record<Quality, string>;
const QUALITY_HINTS = {
  draft: "Fastest. For a first look: softer detail and motion.",
  standard: "For posting: looks very close to the source.",
  high: "For fine detail, film grain and dark scenes. Takes about twice as long; files are larger.",
} as const satisfies Record<Quality, string>;

/** Step 3: clips instead of whole videos, quality, and the zip. `summary` says what is chosen while it is closed. */
export function AdvancedOptions({
  form,
  read,
  summary,
}: {
  form: UseFormReturn<JobForm>;
  read: ReadForm;
  summary: string;
}) {
  return (
    <Step number={3}>
      <div className="-my-1 max-desk:-my-2.5 max-desk:[&_h2]:pl-[18px]">
        <Disclosure title="Advanced Options" summary={summary}>
          <div className="grid gap-4 pt-3 pb-2">
            <SegmentationFields form={form} segmentSeconds={read.segmentSeconds} />
            <ChoiceField form={form} name="quality" label="Quality" labels={QUALITIES} hints={QUALITY_HINTS} />
            <TextField
              {...form.register("outputFolder")}
              label="Output folder"
              autoComplete="off"
              maxLength={JOB_LIMITS.folderCharacters}
              hint="Optional. The storage folder for this job's files."
            />
            <div className="flex items-center justify-between gap-3">
              <span className="text-12 text-ink-3">When the job is done, you can download all files as a zip.</span>
              <div className="shrink-0">
                <Switch {...form.register("downloadEnabled")} label="Download enabled" />
              </div>
            </div>
          </div>
        </Disclosure>
      </div>
    </Step>
  );
}

function SegmentationFields({ form, segmentSeconds }: { form: UseFormReturn<JobForm>; segmentSeconds: number }) {
  const { control, getValues, register, setValue } = form;
  const segmentation = useWatch({ control, name: "segmentation" });
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <ChoiceField
        form={form}
        name="segmentation"
        label="Segmentation"
        labels={SEGMENTATIONS}
        hints={SEGMENTATION_HINTS}
      />
      {segmentation !== "off" && (
        <div className="w-44">
          <NumberField
            {...register("segmentSeconds", {
              onBlur: () => setValue("segmentSeconds", String(readSegmentSeconds(getValues("segmentSeconds")))),
            })}
            label="Segment duration"
            hint="Seconds"
            error={segmentSeconds > JOB_LIMITS.segmentSeconds ? "At most 24 hours" : undefined}
          />
        </div>
      )}
    </div>
  );
}
