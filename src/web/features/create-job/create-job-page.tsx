import { jobUploads, uploadsOfChange, useUnfinishedUploads } from "../../sources/uploads/use-uploads.ts";
import { useAcceptedSources } from "../../sources/use-accepted-sources.ts";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { settingsOfPart } from "#contract/job-settings/setting-values.ts";
import { isFinal } from "#contract/jobs/jobs.ts";
import { jobPageTitle } from "../../jobs/status/job-page-title.ts";
import { useCaptionCheck } from "../../sets/editor/use-caption-check.ts";
import { paths } from "../../app/routing/paths.ts";
import { usePageTitle } from "../../ui/text/page-title.ts";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { AdvancedOptions } from "./advanced/advanced-options.tsx";
import { moveLayer, writeLayers } from "./advanced/layer-fields.tsx";
import { BasicSetup } from "./basic-setup.tsx";
import { CaptionsSection } from "./captions/captions-section.tsx";
import { CreateJobHead } from "./create-job-head.tsx";
import { describeEmptySections, describeMissing, describePlan } from "./plan/describe-plan.ts";
import { formFromJob } from "./draft/from-job.ts";
import { readForm, toCreateRequest } from "./draft/job-form.ts";
import { useExampleNames } from "./draft/use-example-names.ts";
import { MusicSection } from "./music/music-section.tsx";
import { ChangeNote } from "./proof/change-note.tsx";
import { UnloadedChange } from "./proof/unloaded-change.tsx";
import { type ChangedJob, useChangedForm, useChangedJob } from "./proof/use-changed-job.ts";
import { PlanRail } from "./plan/plan-rail.tsx";
import { PresetBar } from "./presets/preset-bar.tsx";
import { usePresetChoice } from "./presets/use-preset-choice.ts";
import { usePresetRequest } from "./presets/use-preset-request.ts";
import { useSuggestedName } from "./presets/use-suggested-name.ts";
import { usePresets } from "../../presets/use-presets.ts";
import { toPreviewInput } from "./preview/preview-input.ts";
import { usePreview } from "./preview/use-preview.ts";
import { findBrokenLinks } from "./start/broken-links.ts";
import { BrokenLinksDialog } from "./start/broken-links-dialog.tsx";
import { ProgressCard } from "./start/progress-card.tsx";
import { quoteName } from "../../jobs/row/cut-text.ts";
import { Step, StepTitle } from "./step.tsx";
import { useAddressRequests, useSampleRequest } from "./draft/use-address-requests.ts";
import { useChosenSet } from "./sets/use-chosen-set.ts";
import { useInitialData } from "./draft/use-initial-data.ts";
import { useDraftStore } from "./draft/use-draft.ts";
import { type FormStart, useJobForm } from "./draft/use-job-form.ts";
import { useSamples } from "./use-samples.ts";
import { useTable } from "./table/use-table.tsx";
import { useMeasuredWork } from "./plan/use-measured-work.ts";
import { useFormPrefetch } from "./videos/requests/use-form-prefetch.ts";
import { useVideoRows } from "./videos/use-video-rows.ts";
import { FormUploads, useFormUploads } from "../../sources/uploads/form-uploads.ts";
import { useStartJob } from "./start/use-start-job.ts";
import { useStartedJob } from "./start/use-started-job.ts";
import { SubtitlesSection } from "./subtitles/subtitles-section.tsx";
import { WatermarkSection } from "./watermark/watermark-section.tsx";

/** The change of a job has its own form, draft and uploads. */
export function CreateJobPage() {
  const changed = useChangedJob();
  return changed ? <ChangeScreen key={changed.id} changed={changed} /> : <NewJobScreen />;
}

function NewJobScreen() {
  const draft = useDraftStore(null);
  return (
    <FormUploads value={jobUploads}>
      <JobScreen initial={{ ...draft, changedId: null, loaded: null }} />
    </FormUploads>
  );
}

/** Without the job's settings, anything added to the form would replace them. */
function ChangeScreen({ changed }: { changed: ChangedJob }) {
  const { id } = changed;
  const draft = useDraftStore(changed);
  const { loaded, error, retry } = useChangedForm(draft.restored ? null : id);
  if (!draft.restored && !loaded) return <UnloadedChange jobId={id} error={error} onRetry={retry} />;
  return (
    <FormUploads value={uploadsOfChange(id)}>
      <JobScreen initial={{ ...draft, changedId: id, loaded }} />
    </FormUploads>
  );
}

function JobScreen({ initial }: { initial: FormStart }) {
  const { changedId } = initial;
  const saved = useInitialData();
  const presets = usePresets();
  const state = useJobForm(initial, saved.settings, presets.data);
  const { form, values, replaceForm } = state;
  const captionSet = useChosenSet(form, values, "caption", saved.caption);
  const audioSet = useChosenSet(form, values, "audio", saved.audio);
  // A copied job is usually for other videos: the first pasted ones replace its own.
  const [copiedLinks, setCopiedLinks] = useState("");
  useAddressRequests(saved, { caption: captionSet, audio: audioSet }, (job) => {
    const copied = formFromJob(job, values.generator);
    replaceForm(copied, {
      title: "Settings Copied",
      description: `From ${quoteName(job.job_name)}. Paste other links to replace its videos.`,
    });
    setCopiedLinks(copied.videoLinks);
  });
  const navigate = useNavigate();
  const accepted = useAcceptedSources();
  const read = useMemo(() => readForm(values, captionSet.set, accepted), [values, captionSet.set, accepted]);
  const videos = useVideoRows(read.videos, read.rows, values);
  useFormPrefetch(videos.rows);
  const preset = usePresetChoice(state, presets);
  usePresetRequest(preset);
  const nameField = useSuggestedName(form, { rows: videos.rows, preset: preset.preset?.name ?? null });
  const work = useMeasuredWork(videos.durations.length > 0 && !videos.durations.includes(null));
  const plan = describePlan(values, read, videos.durations, work);
  const request = toPreviewInput(values, read, useExampleNames(read, read.layers.length > 0));
  const preview = usePreview(request, {
    moveCaption: (y) => form.setValue("captionY", String(y), { shouldDirty: true }),
    moveLayer: (place, point) =>
      form.setValue("layers", writeLayers(moveLayer(read.layers, place, point)), { shouldDirty: true }),
  });
  const check = useCaptionCheck({
    captions: request.captions,
    ...settingsOfPart(request.look, "drawing"),
    ...settingsOfPart(request.look, "framing"),
    watermark_text: request.watermark,
  });
  const samples = useSamples();
  useSampleRequest(form, samples);
  const table = useTable({ form, read, request: () => toCreateRequest(form.getValues(), captionSet.set, accepted) });
  const isOn = {
    video: true,
    music: values.audioEnabled,
    image: values.watermarkEnabled,
    subtitles: values.subtitlesEnabled,
  };
  const uploads = useUnfinishedUploads(useFormUploads(), (use) => isOn[use]);
  const { job, follow, dismiss } = useStartedJob();
  const { start, sending, asked, answer } = useStartJob(
    changedId,
    { form: values, captionSet: captionSet.set },
    (started, sent) => {
      state.clearStarted(sent);
      if (changedId === null) follow(started);
      else void navigate({ to: paths.job, params: { jobId: changedId } });
    },
  );
  const missing = describeMissing(read, { uploads, problem: check.problem });
  const handleEdit = () => job && isFinal(job.status) && dismiss();
  useMoreVideos(read.videos.valid.length, handleEdit);
  usePageTitle(job && !isFinal(job.status) ? jobPageTitle(job) : null);
  return (
    <>
      <form
        className="contents"
        noValidate
        onInput={handleEdit}
        onSubmit={(event) =>
          void form.handleSubmit((sent) =>
            start(sent, captionSet.set, findBrokenLinks(readForm(sent, captionSet.set, accepted).videos, videos.rows)),
          )(event)
        }
      >
        {/* On phones the bar covers the end of the screen; focused elements scroll clear of it. */}
        <Pane className="max-desk:[@media(min-height:480px)]:[&_:is(input,textarea,button)]:scroll-mb-60">
          <CreateJobHead state={state} />
          {changedId && <ChangeNote jobId={changedId} />}
          <PresetBar choice={preset} canSave={state.canClear} />
          <BasicSetup
            form={form}
            nameField={nameField}
            read={read}
            videos={videos}
            previewed={preview.videos}
            samples={samples}
            table={table}
            copiedLinks={copiedLinks}
          />
          <Step number={2}>
            <StepTitle>
              Add Content <span className="font-normal text-ink-3">(Optional)</span>
            </StepTitle>
            <CaptionsSection
              form={form}
              isOn={values.captionsEnabled}
              captions={read.captions}
              places={plan.captionPlaces}
              check={check}
              saved={saved.caption}
              chosen={captionSet}
              onEdit={preview.captions.goTo}
            />
            <SubtitlesSection form={form} isOn={values.subtitlesEnabled} read={read} />
            <MusicSection form={form} tracks={read.tracks} samples={samples} saved={saved.audio} chosen={audioSet} />
            <WatermarkSection
              form={form}
              isOn={values.watermarkEnabled}
              read={read}
              check={values.captionsEnabled ? null : check}
            />
          </Step>
          <AdvancedOptions form={form} values={values} read={read} summary={plan.summary} />
        </Pane>
        <PlanRail
          plan={plan}
          preview={preview}
          missing={missing}
          empty={describeEmptySections(values, read)}
          isBusy={sending !== null}
          form={form}
          startLabel={changedId ? "Update Samples" : undefined}
        >
          <ProgressCard sending={sending} job={job} isNextReady={missing === null} onDismiss={dismiss} />
        </PlanRail>
      </form>
      <BrokenLinksDialog links={asked} onConfirm={() => answer(true)} onClose={() => answer(false)} />
    </>
  );
}

/** Files of the library and uploads add videos without input. */
function useMoreVideos(count: number, onMore: () => void): void {
  const before = useRef(count);
  const handleMore = useEffectEvent(onMore);
  useEffect(() => {
    if (count > before.current) handleMore();
    before.current = count;
  }, [count]);
}
