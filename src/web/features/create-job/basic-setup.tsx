import type { UseFormReturn } from "react-hook-form";
import { JOB_LIMITS, RECOMMENDED_VARIANTS } from "#contract/jobs/jobs.ts";
import { TextField } from "../../ui/fields/text-field.tsx";
import type { JobForm, ReadForm } from "./draft/job-form.ts";
import type { SuggestedNameField } from "./presets/use-suggested-name.ts";
import { NAME_TOO_LONG } from "./plan/describe-plan.ts";
import { formatCount } from "../../jobs/row/pluralize.ts";
import { SettingField } from "./setting-field.tsx";
import { Step, StepTitle } from "./step.tsx";
import type { Steps } from "./preview/use-preview.ts";
import type { Samples } from "./use-samples.ts";
import type { TablePart } from "./table/use-table.tsx";
import { VideosField } from "./videos/videos-field.tsx";
import type { VideoRows } from "./videos/use-video-rows.ts";

/** Reads as the job's title until it is edited. */
const TITLE =
  "-ml-2.5 w-[calc(100%+10px)]! border-transparent! bg-transparent! text-16! font-semibold hover:border-line-strong! focus:bg-well!";

export function BasicSetup({
  form,
  nameField,
  read,
  videos,
  previewed,
  samples,
  table,
  copiedLinks,
}: {
  form: UseFormReturn<JobForm>;
  nameField: SuggestedNameField;
  read: ReadForm;
  videos: VideoRows;
  previewed: Steps;
  samples: Samples;
  table: TablePart;
  copiedLinks: string;
}) {
  return (
    <Step number={1}>
      <StepTitle>Basic Setup</StepTitle>
      <div className="grid gap-3 pt-1">
        <div className="grid grid-cols-[minmax(0,1fr)_144px] gap-4 max-desk:grid-cols-1 max-desk:gap-3">
          <TextField
            {...form.register("jobName")}
            {...nameField}
            label="Job name"
            autoComplete="off"
            placeholder="Untitled job"
            className={TITLE}
            // `maxLength` would silently cut pasted names.
            error={read.name.length > JOB_LIMITS.nameCharacters ? describeLongName(read.name) : undefined}
          />
          <SettingField
            form={form}
            name="variants_per_video"
            hint={read.variants > RECOMMENDED_VARIANTS ? `1-${RECOMMENDED_VARIANTS} recommended` : undefined}
          />
        </div>
        <VideosField
          form={form}
          read={read}
          videos={videos}
          previewed={previewed}
          samples={samples}
          table={table}
          copiedLinks={copiedLinks}
        />
      </div>
      {table.dialog}
    </Step>
  );
}

function describeLongName({ length }: string): string {
  return `${NAME_TOO_LONG}. This one has ${formatCount(length)}.`;
}
