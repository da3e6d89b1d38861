import { useController, type UseFormReturn } from "react-hook-form";
import { JOB_LIMITS } from "#contract/jobs.ts";
import { Disclosure } from "../../ui/disclosure.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Switch } from "../../ui/switch.tsx";
import { readSegmentSeconds, type JobForm, type ReadForm } from "./job-form.ts";
import { Step } from "./step.tsx";

const SEGMENTATIONS = {
  off: "Every file is a whole video.",
  single: "One clip per variant, spread evenly over the video.",
  multiple: "The whole video, cut into clips one after the other.",
} as const satisfies Record<JobForm["segmentation"], string>;

/** Step 3: clips instead of whole videos, and the zip. `summary` says what is chosen while it is closed. */
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
            <div className="flex items-center justify-between gap-3">
              <span className="text-12 text-ink-3">A zip of all files can be downloaded when the job is done.</span>
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

function SegmentationFields({
  form: { control, getValues, register, setValue },
  segmentSeconds,
}: {
  form: UseFormReturn<JobForm>;
  segmentSeconds: number;
}) {
  const { value, onChange } = useController({ control, name: "segmentation" }).field;
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="grid gap-1.5">
        <span className="font-medium text-ink">Segmentation</span>
        <Segmented
          label="Segmentation"
          options={[
            { value: "off", label: "Off" },
            { value: "single", label: "Single" },
            { value: "multiple", label: "Multiple" },
          ]}
          value={value}
          onChange={onChange}
        />
        <span className="text-12 text-ink-3">{SEGMENTATIONS[value]}</span>
      </div>
      {value !== "off" && (
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
