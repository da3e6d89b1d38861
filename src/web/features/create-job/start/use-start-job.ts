import { useRef, useState } from "react";
import { firstProblem } from "#contract/jobs/job-rules.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { changeJob } from "../../../api/proof.ts";
import type { SavedSet } from "../../../api/set-tables.ts";
import { useAcceptedSources } from "../../../sources/use-accepted-sources.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { jobCreator } from "./create-job-once.ts";
import { toCreateRequest, type JobForm } from "../draft/job-form.ts";
import { domainProblem } from "../job-links/link-domain.ts";

export type Sending = { name: string; videos: number };

/** Creates a job, or changes `changedId`. */
export function useStartJob(changedId: string | null, onStarted: (job: Job, sent: JobForm) => void) {
  const toast = useToast();
  const accepted = useAcceptedSources();
  const [sending, setSending] = useState<Sending | null>(null);
  const [createJob] = useState(jobCreator);
  // Blocks a second click before the next render.
  const isSending = useRef(false);

  async function start(form: JobForm, captionSet: SavedSet | null) {
    if (isSending.current) return;
    const request = toCreateRequest(form, captionSet, accepted);
    const problem = domainProblem(form) ?? firstProblem(request, accepted);
    if (problem) {
      toast.show({ ...problem, variant: "destructive" });
      return;
    }
    isSending.current = true;
    setSending({ name: request.job_name, videos: request.input_videos.length });
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
      toast.show({ ...describeRefusal(error), variant: "destructive" });
    } finally {
      isSending.current = false;
      setSending(null);
    }
  }
  return { start, sending };
}

const CHANGED = { title: "Job Changed", description: "Samples that the changes affect are being made again." };

/** Only the server's 4xx messages help the operator. */
function describeRefusal(error: unknown): { title: string; description: string } {
  if (error instanceof CallError && error.status >= 400 && error.status < 500) {
    return { title: error.title ?? "Error", description: error.message };
  }
  return { title: "Error", description: "Failed to start processing job" };
}
