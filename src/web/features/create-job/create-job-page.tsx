import { useMemo } from "react";
import { useForm, useWatch } from "react-hook-form";
import { PageHead } from "../../ui/page-head.tsx";
import { Pane } from "../../ui/pane.tsx";
import { AdvancedOptions } from "./advanced-options.tsx";
import { BasicSetup } from "./basic-setup.tsx";
import { CaptionsSection } from "./captions-section.tsx";
import { describeMissing, describePlan } from "./describe-plan.ts";
import { EMPTY_FORM, FIELDS_OF_ONE_JOB, readForm, type JobForm } from "./job-form.ts";
import { MusicSection } from "./music-section.tsx";
import { PlanRail } from "./plan-rail.tsx";
import { ProgressCard } from "./progress-card.tsx";
import { Step, StepTitle } from "./step.tsx";
import { useEndToast } from "./use-end-toast.ts";
import { useLiveJob } from "./use-live-job.ts";
import { useSamples } from "./use-samples.ts";
import { useStartJob } from "./use-start-job.ts";
import { WatermarkSection } from "./watermark-section.tsx";

export function CreateJobPage() {
  const form = useForm<JobForm>({ defaultValues: EMPTY_FORM });
  // With defaults for all fields nothing is missing, which the type cannot know.
  const values = useWatch({ control: form.control }) as JobForm;
  const read = useMemo(() => readForm(values), [values]);
  const plan = describePlan(values, read);
  const samples = useSamples();
  const { start, sending, created, dismiss } = useStartJob(clearFields);
  const job = useLiveJob(created);
  useEndToast(job);

  function clearFields() {
    for (const field of FIELDS_OF_ONE_JOB) form.setValue(field, "");
  }
  return (
    <form className="contents" noValidate onSubmit={(event) => void form.handleSubmit(start)(event)}>
      {/* On a phone the bar covers the end of the screen: what gets the focus scrolls clear of it. */}
      <Pane className="max-desk:[&_:is(input,textarea,button)]:scroll-mb-44">
        <PageHead title="Create Video Job" subtitle="Transform your videos with captions and audio in 3 simple steps" />
        <BasicSetup form={form} read={read} samples={samples} />
        <Step number={2}>
          <StepTitle>
            Add Content <span className="font-normal text-ink-3">(Optional)</span>
          </StepTitle>
          <CaptionsSection
            form={form}
            isOn={values.captionsEnabled}
            captions={read.captions}
            places={plan.videos * plan.variants}
          />
          <MusicSection form={form} tracks={read.tracks} samples={samples} />
          <WatermarkSection form={form} isOn={values.watermarkEnabled} text={read.watermark} />
        </Step>
        <AdvancedOptions form={form} read={read} summary={plan.summary} />
      </Pane>
      <PlanRail plan={plan} missing={describeMissing(read)} isBusy={sending !== null}>
        <ProgressCard sending={sending} job={job} onDismiss={dismiss} />
      </PlanRail>
    </form>
  );
}
