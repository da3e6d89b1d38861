import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { paths } from "../../../app/routing/paths.ts";
import { isJobId } from "../../../jobs/job-address.ts";
import { EMPTY_GENERATOR } from "../captions/generator-form.ts";
import { formFromJob } from "../draft/from-job.ts";
import type { JobForm } from "../draft/job-form.ts";
import { useJobRequest } from "../draft/use-job-request.ts";

/** `isNew`: start from the job's settings, not from the draft of an earlier change. */
export type ChangedJob = { id: string; isNew: boolean };

/**
 * Returns the job that the form changes, or null. `?change=<job>` starts a change and becomes `?changing=<job>`, so that
 * a reload keeps later edits.
 */
export function useChangedJob(): ChangedJob | null {
  const { change, changing }: Record<string, unknown> = useSearch({ strict: false });
  const id = change ?? changing;
  return typeof id === "string" && isJobId(id) ? { id, isNew: change !== undefined } : null;
}

/** Ends the change if the job no longer exists or no longer awaits approval. */
export function useChangedForm(jobId: string | null): {
  /** The job's settings once loaded. */
  loaded: JobForm | null;
  error: Error | null;
  retry: () => void;
} {
  const [loaded, setLoaded] = useState<JobForm | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const navigate = useNavigate();
  const go = (search: { changing?: string }) =>
    void navigate({ to: paths.createJob, search, replace: true, resetScroll: false });
  const request = {
    gone: "The job to change no longer exists.",
    findProblem: ({ awaiting_approval: isWaiting }: WholeJob) => (isWaiting ? null : DECIDED),
    onJob: (job: WholeJob) => {
      setLoaded(formFromJob(job, EMPTY_GENERATOR));
      go({ changing: job.id });
    },
    onFailure: () => go({}),
    onError: setError,
  };
  // Clearing the error sends the request again.
  useJobRequest(error ? null : jobId, request);
  return { loaded, error, retry: () => setError(null) };
}

const DECIDED = { title: "Error", description: "This job is no longer waiting for approval." };
