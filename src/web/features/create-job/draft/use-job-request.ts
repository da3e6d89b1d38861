import { useEffect, useEffectEvent } from "react";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { sizeProblem } from "#contract/jobs/size-problem.ts";
import { readJob } from "../../../api/jobs.ts";
import { isMissingJob } from "../../../jobs/job-address.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";

type Problem = { title: string; description: string };

/** Reads a job for the form. Shows why it could not be read, or cannot fill the form. */
export function useJobRequest(
  id: string | null,
  request: {
    /** A sentence for a deleted job. */
    gone: string;
    findProblem?: (job: WholeJob) => Problem | null;
    onJob: (job: WholeJob) => void;
    onFailure: () => void;
    /** Replaces the toast and `onFailure` when the request fails and the job may still exist. */
    onError?: (error: Error) => void;
  },
) {
  const toast = useToast();
  const fail = useEffectEvent((problem: Problem) => {
    toast.show({ ...problem, variant: "destructive" });
    request.onFailure();
  });
  const take = useEffectEvent((job: WholeJob) => {
    const problem = sizeProblem(job) ?? request.findProblem?.(job) ?? null;
    if (problem) fail(problem);
    else request.onJob(job);
  });
  const explain = useEffectEvent((error: Error) => {
    if (request.onError && !isMissingJob(error)) request.onError(error);
    else fail({ title: "Error", description: isMissingJob(error) ? request.gone : "Failed to load initial data" });
  });
  useEffect(() => {
    if (id === null) return undefined;
    let isActive = true;
    readJob(id)
      .then((job) => isActive && take(job))
      .catch((error: Error) => isActive && explain(error));
    return () => {
      isActive = false;
    };
  }, [id]);
}
