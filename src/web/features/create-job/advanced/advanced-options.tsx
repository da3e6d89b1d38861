import { useWatch, type UseFormReturn } from "react-hook-form";
import type { Quality } from "#contract/jobs/jobs.ts";
import { Disclosure } from "../../../ui/states/disclosure.tsx";
import { ChoiceField } from "../choice-field.tsx";
import { DestinationsField } from "./destinations-field.tsx";
import type { JobForm } from "../draft/job-form.ts";
import { LoudnessField } from "./loudness-field.tsx";
import { FormatFields } from "./format-fields.tsx";
import { type FormValues, NamePatternField } from "./name-pattern-field.tsx";
import { ProofFields } from "../proof/proof-fields.tsx";
import { LinkFields } from "../job-links/link-fields.tsx";
import { SettingField } from "../setting-field.tsx";
import { Step } from "../step.tsx";

const SEGMENTATION_HINTS = {
  off: "Every file is a whole video.",
  single: "One clip per variant, spread evenly across the video.",
  multiple: "The whole video, cut into consecutive clips.",
} as const satisfies Record<JobForm["segmentation"], string>;

const QUALITY_HINTS = {
  draft: "Fastest. Good for a first look; detail and motion are softer.",
  standard: "For posting: looks very close to the source.",
  high: "For fine detail, film grain and dark scenes. Takes about twice as long; files are larger.",
} as const satisfies Record<Quality, string>;

const LABELS_HINT =
  "Optional. For example: gpu, eu. Only workers with all of these labels process this job's videos. See Settings → System for labels.";

export function AdvancedOptions({ form, values, read, summary }: FormValues & { summary: string }) {
  return (
    <Step number={3}>
      <div className="-my-1 max-desk:-my-2.5 max-desk:[&_h2]:pl-[18px]">
        <Disclosure title="Advanced Options" summary={summary}>
          <div className="grid gap-4 pt-3 pb-2">
            <FormatFields form={form} />
            <SegmentationFields form={form} />
            <PartFields form={form} />
            <ChoiceField form={form} name="quality" hints={QUALITY_HINTS} />
            <LoudnessField form={form} />
            <NamePatternField form={form} values={values} read={read} />
            <DestinationsField form={form} />
            <SettingField form={form} name="output_folder" hint="Optional. The storage folder for this job's files." />
            <SettingField form={form} name="worker_labels" hint={LABELS_HINT} />
            <div className="flex items-center justify-between gap-3">
              <span className="text-12 text-ink-3">When the job is done, you can download all files as a zip.</span>
              <div className="shrink-0">
                <SettingField form={form} name="download_enabled" />
              </div>
            </div>
          </div>
        </Disclosure>
        <ProofFields form={form} />
        <LinkFields form={form} values={values} read={read} />
      </div>
    </Step>
  );
}

function PartFields({ form }: { form: UseFormReturn<JobForm> }) {
  return (
    <div className="grid max-w-96 grid-cols-2 items-start gap-x-4">
      <SettingField form={form} name="start_seconds" hint="Seconds" />
      <SettingField form={form} name="end_seconds" hint="Seconds. Leave empty for the end" />
    </div>
  );
}

function SegmentationFields({ form }: { form: UseFormReturn<JobForm> }) {
  const segmentation = useWatch({ control: form.control, name: "segmentation" });
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <ChoiceField form={form} name="segmentation_type" hints={SEGMENTATION_HINTS} />
      {segmentation !== "off" && (
        <div className="w-44">
          <SettingField form={form} name="segment_duration" hint="Seconds" limitError="At most 24 hours" />
        </div>
      )}
    </div>
  );
}
