import { useRef, useState } from "react";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import { firstProblem, type JobProblem } from "#contract/jobs/job-rules.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { changeJob } from "../../../api/proof.ts";
import type { SavedSet } from "../../../api/set-tables.ts";
import { useAcceptedSources } from "../../../sources/use-accepted-sources.ts";
import { useProblemToast, useToast } from "../../../ui/toasts/use-toast.ts";
import type { BrokenLinks } from "./broken-links.ts";
import { jobCreator } from "./create-job-once.ts";
import { readForm, toCreateRequest, type JobForm } from "../draft/job-form.ts";
import { isSameForm } from "../draft/same-form.ts";
import { domainProblem } from "../job-links/link-domain.ts";

export type Sending = { name: string; videos: number };

/** A rule that the form breaks, or why the form in `failed` was not started. */
type Problem = JobProblem & { failed?: JobForm };

/** Creates a job, or changes `changedId`. `form` and its `captionSet` are the current ones. */
export function useStartJob(
  changedId: string | null,
  current: { form: JobForm; captionSet: SavedSet | null },
  onStarted: (job: Job, sent: JobForm) => void,
) {
  const toast = useToast();
  const accepted = useAcceptedSources();
  const problemToast = useProblemToast<Problem>(({ title, failed }) =>
    failed
      ? !isSameForm(failed, current.form)
      : problemOf(current.form, toCreateRequest(current.form, current.captionSet, accepted), accepted)?.title !== title,
  );
  const [sending, setSending] = useState<Sending | null>(null);
  const [createJob] = useState(jobCreator);
  const [asked, setAsked] = useState<{ form: JobForm; captionSet: SavedSet | null; links: BrokenLinks } | null>(null);
  // Blocks a second click before the next render.
  const isSending = useRef(false);

  /** Asks first if `links` are broken. */
  async function start(form: JobForm, captionSet: SavedSet | null, links: BrokenLinks | null) {
    if (isSending.current) return;
    const request = toCreateRequest(form, captionSet, accepted);
    problemToast.dismiss();
    const problem = problemOf(form, request, accepted);
    if (problem) return problemToast.show(problem);
    if (links) return setAsked({ form, captionSet, links });
    isSending.current = true;
    const { combinations } = readForm(form, captionSet, accepted);
    setSending({ name: request.job_name, videos: combinations.length || request.input_videos.length });
    try {
      const job = await (changedId === null ? createJob(request) : changeJob(changedId, request));
      onStarted(job, form);
      if (changedId !== null) toast.show({ ...CHANGED, variant: "success" });
      else
        toast.show({
          title: "Job Started",
          description: `Processing ${job.total_videos} video(s) with ${job.variants_per_video} variant(s) each`,
          variant: "success",
        });
    } catch (error) {
      problemToast.show({ ...describeError(error), failed: form });
    } finally {
      isSending.current = false;
      setSending(null);
    }
  }
  function answer(isConfirmed: boolean) {
    if (isConfirmed && asked) void start(asked.form, asked.captionSet, null);
    setAsked(null);
  }
  return { start, sending, asked: asked?.links ?? null, answer };
}

function problemOf(form: JobForm, request: CreateJobRequest, accepted: AcceptedSources): JobProblem | null {
  return domainProblem(form) ?? firstProblem(request, accepted);
}

const CHANGED = { title: "Job Changed", description: "Samples that the changes affect are being made again." };

/** Only the server's 4xx messages help the operator. */
function describeError(error: unknown): JobProblem {
  if (error instanceof CallError && error.status >= 400 && error.status < 500) {
    return { title: error.title ?? "Error", description: error.message };
  }
  return { title: "Error", description: "Failed to start processing job" };
}
