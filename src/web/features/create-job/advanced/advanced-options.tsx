import { Plus } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { useController, type UseFormReturn, useWatch } from "react-hook-form";
import { settingOf } from "#contract/job-settings/setting-values.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import type { Codec, Quality } from "#contract/jobs/jobs.ts";
import type { Destination } from "#contract/destinations/destinations.ts";
import { describePlace } from "../../../destinations/describe-place.ts";
import { useDestinations } from "../../../destinations/use-destinations.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { SwitchRow } from "../../../ui/fields/switch-row.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { lazyPart } from "../../../ui/page/lazy-part.ts";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { Disclosure } from "../../../ui/states/disclosure.tsx";
import { ChoiceField } from "../choice-field.tsx";
import type { FormValues, JobForm } from "../draft/job-form.ts";
import { nameExample } from "../draft/name-example.ts";
import { useExampleNames } from "../draft/use-example-names.ts";
import { LinkFields } from "../job-links/link-fields.tsx";
import { ProofFields } from "../proof/proof-fields.tsx";
import { SettingField } from "../setting-field.tsx";
import { Step } from "../step.tsx";
import { ClipField } from "./clip-field.tsx";
import { FormatFields } from "./format-fields.tsx";
import { LayerFields } from "./layer-fields.tsx";
import { JoinFields } from "./join-fields.tsx";
import { LoudnessField } from "./loudness-field.tsx";
import { SilenceFields } from "./silence-fields.tsx";

const LanguageField = lazyPart(() => import("./language-field.tsx"));

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

const CODEC_HINTS = {
  h264: "Plays everywhere.",
  hevc: "Mostly smaller files at about the same quality. Encoding takes about four times as long, and some browsers cannot play them.",
} as const satisfies Record<Codec, string>;

const LABELS_HINT =
  "Optional. For example: gpu, eu. Only workers with all of these labels process this job's videos. The System tab of Settings lists the labels.";

export function AdvancedOptions({ form, values, read, summary }: FormValues & { summary: string }) {
  return (
    <Step number={3}>
      <div className="-my-1 max-desk:-my-2.5 max-desk:[&_h2]:pl-[18px]">
        <Disclosure title="Advanced Options" summary={summary}>
          <Group title="Picture">
            <FormatFields form={form} />
            <LayerFields form={form} read={read} />
            <Suspense>
              <LanguageField form={form} name="languages" />
            </Suspense>
            <ChoiceField form={form} name="quality" hints={QUALITY_HINTS} />
            <ChoiceField form={form} name="codec" hints={CODEC_HINTS} />
          </Group>
          <Group title="Cut">
            <SegmentationFields form={form} />
            <div className="grid max-w-[440px] grid-cols-2 items-start gap-x-4">
              <SettingField form={form} name="start_seconds" hint="Seconds" />
              <SettingField form={form} name="end_seconds" hint="Seconds. Leave empty for the end" />
            </div>
            <div className="max-w-[440px]">
              <div className="w-[calc(50%-8px)]">
                <SettingField form={form} name="speed" hint="From 0.5 to 2. Pitch is kept" />
              </div>
              <p className="mt-1.5 text-12 text-ink-3">
                Start and end are times in the source. The segment duration, and the times of captions and layers, are
                times in the file.
              </p>
            </div>
            <SilenceFields form={form} values={values} read={read} />
            <div className="grid gap-4">
              <ClipField form={form} name="intro_link" />
              <ClipField form={form} name="outro_link" />
              <p className="-mt-2.5 text-12 text-ink-3">
                Optional. Every file starts with the intro and ends with the end card, without captions and watermark.
              </p>
            </div>
            <JoinFields form={form} values={values} read={read} />
          </Group>
          <Group title="Files">
            <NamePatternField form={form} values={values} read={read} />
            <div className="grid max-w-[440px] grid-cols-2 items-start gap-x-4">
              <SettingField form={form} name="max_megabytes" hint="MB. Leave empty for no limit" />
              <SettingField form={form} name="cover_seconds" hint="Seconds. Adds a JPEG to each file" />
            </div>
            <SettingField form={form} name="output_folder" hint="Optional. The storage folder for this job's files." />
            <SwitchRow
              {...form.register("downloadEnabled")}
              label={settingOf("download_enabled").label}
              text="When the job is done, you can download all files as a zip."
            />
            <DestinationsField form={form} />
          </Group>
          <Group title="Machine">
            <LoudnessField form={form} />
            <SettingField form={form} name="worker_labels" hint={LABELS_HINT} />
          </Group>
          <Group title="When the job is done">
            <ProofFields form={form} />
            <LinkFields form={form} values={values} read={read} />
          </Group>
        </Disclosure>
      </div>
    </Step>
  );
}

/** The title is beside the fields if there is room. */
function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-x-6 gap-y-2 border-t border-line py-4 first:mt-2 last:pb-1 wide:grid-cols-[120px_minmax(0,1fr)]">
      <h3 className="text-12 text-ink-3">{title}</h3>
      <div className="grid min-w-0 gap-4">{children}</div>
    </section>
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

function NamePatternField({ form, values, read }: FormValues) {
  const example = nameExample(values, read, useExampleNames(read));
  return (
    <TextField
      {...form.register("namePattern")}
      label={settingOf("name_pattern").label}
      autoComplete="off"
      spellCheck={false}
      maxLength={JOB_LIMITS.patternCharacters}
      placeholder="{row.sku}-{variant}-{caption:20}"
      hint={
        "name" in example && (
          <>
            Optional. The first file: <bdi className="wrap-anywhere text-ink">{example.name}</bdi>
          </>
        )
      }
      error={"problem" in example ? example.problem : undefined}
    />
  );
}

const DestinationSheet = lazyPart(() => import("../../../destinations/destination-sheet.tsx"));

function DestinationsField({ form }: { form: UseFormReturn<JobForm> }) {
  const { data, error } = useDestinations();
  // Undefined until first opened.
  const [opened, setOpened] = useState<"new" | null>();
  const { value, onChange } = useController({ control: form.control, name: "destinations" }).field;
  const chosen = value.split("\n").filter((id) => id !== "");
  const known = data?.data ?? [];
  const removed = data ? chosen.filter((id) => !known.some((one) => one.id === id)) : [];

  function toggle(id: string) {
    onChange((chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]).join("\n"));
  }
  function choose({ id, enabled }: Destination) {
    if (enabled && chosen.length < JOB_LIMITS.destinations) onChange([...chosen, id].join("\n"));
  }
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-ink">{settingOf("destinations").label}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {known.map((destination) => (
          <span key={destination.id} {...tooltip(describePlace(destination))}>
            <Checkbox
              label={destination.enabled ? destination.name : `${destination.name} (turned off)`}
              checked={chosen.includes(destination.id)}
              disabled={!chosen.includes(destination.id) && chosen.length >= JOB_LIMITS.destinations}
              onChange={() => toggle(destination.id)}
            />
          </span>
        ))}
        {removed.map((id) => (
          <Checkbox key={id} label="Removed destination" checked onChange={() => toggle(id)} />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-x-3 text-12 text-ink-3">
        {error && !data
          ? "Couldn't load the destinations."
          : removed.length > 0
            ? "A destination was removed in Settings. Clear it to create the job."
            : data?.data.length === 0
              ? "Files stay on this server. A destination also delivers them elsewhere."
              : "Files are delivered when the job is completed."}
        <Button icon={Plus} size="sm" look="quiet" onClick={() => setOpened("new")}>
          New destination
        </Button>
      </div>
      <Suspense>
        {opened !== undefined && <DestinationSheet opened={opened} onSaved={choose} onClose={() => setOpened(null)} />}
      </Suspense>
    </fieldset>
  );
}
