import { useMemo } from "react";
import type { UseFormReturn } from "react-hook-form";
import { JOB_LIMITS, RECOMMENDED_VARIANTS } from "#contract/jobs/jobs.ts";
import { TextField } from "../../ui/fields/text-field.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { addLinks } from "./links/add-links.ts";
import type { JobForm, ReadForm } from "./draft/job-form.ts";
import { LinksField } from "./links/links-field.tsx";
import type { SuggestedNameField } from "./presets/use-suggested-name.ts";
import { SampleButton } from "./sample-button.tsx";
import { NAME_TOO_LONG } from "./plan/describe-plan.ts";
import { formatCount } from "../../jobs/row/pluralize.ts";
import { SettingField } from "./setting-field.tsx";
import { Step, StepTitle } from "./step.tsx";
import type { Steps } from "./preview/use-preview.ts";
import type { Samples } from "./use-samples.ts";
import type { TablePart } from "./table/use-table.tsx";
import { createVideoEdits } from "./videos/create-video-edits.ts";
import { LazyVideoList } from "./videos/lazy-video-list.tsx";
import type { VideoRows } from "./videos/use-video-rows.ts";

export function BasicSetup({
  form,
  nameField,
  read,
  videos,
  previewed,
  samples,
  table,
}: {
  form: UseFormReturn<JobForm>;
  nameField: SuggestedNameField;
  read: ReadForm;
  videos: VideoRows;
  previewed: Steps;
  samples: Samples;
  table: TablePart;
}) {
  const { getValues, register, setFocus, setValue } = form;
  const toast = useToast();
  const edits = useMemo(() => createVideoEdits({ getValues, setValue }, toast.show), [getValues, setValue, toast]);
  const folders = useMemo(
    () => new Set(videos.rows.filter(({ video }) => video === null).map(({ line }) => line)),
    [videos.rows],
  );
  return (
    <Step number={1}>
      <StepTitle>Basic Setup</StepTitle>
      <div className="grid gap-3 pt-1">
        <div className="grid grid-cols-[minmax(0,1fr)_144px] gap-4 max-desk:grid-cols-1 max-desk:gap-3">
          <TextField
            {...register("jobName")}
            {...nameField}
            label="Job name"
            autoComplete="off"
            // `maxLength` would silently cut pasted names.
            error={read.name.length > JOB_LIMITS.nameCharacters ? describeLongName(read.name) : undefined}
          />
          <SettingField
            form={form}
            name="variants_per_video"
            hint={read.variants > RECOMMENDED_VARIANTS ? `1-${RECOMMENDED_VARIANTS} recommended` : undefined}
          />
        </div>
        <div className="relative">
          <LinksField
            label="Video links, one per line"
            tip={'Share each file as "Anyone with the link"'}
            links={read.videos}
            videoRows={read.rows}
            use="video"
            registration={register("videoLinks")}
            onKeep={edits.keep}
            onPaste={table.offerFor}
            tools={table.button}
            offer={table.offer}
            folders={folders}
            list={
              <LazyVideoList
                videos={videos}
                edits={edits}
                shownVideo={previewed.index}
                onShow={previewed.goTo}
                onEmptied={() => setFocus("videoLinks")}
              />
            }
          />
          <div className="absolute -top-0.5 right-0 max-desk:-top-1.5">
            <SampleButton
              label="Use sample clips"
              isRendering={samples.isRendering}
              links={samples.videoLinks}
              onUse={(links) => setValue("videoLinks", addLinks(getValues("videoLinks"), links))}
            />
          </div>
        </div>
      </div>
      {table.dialog}
    </Step>
  );
}

function describeLongName({ length }: string): string {
  return `${NAME_TOO_LONG}. This one has ${formatCount(length)}.`;
}
