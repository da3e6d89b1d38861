import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { type Decision, decideProof, readFeedback } from "../../../api/proof.ts";
import { replaceCachedJob } from "../../../jobs/cache/job-cache.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { showToast } from "../../../ui/toasts/toast-list.ts";

const DONE: Record<Decision["action"], { title: string; description: string }> = {
  approve: { title: "Samples approved", description: "All other videos are in the queue." },
  stop: { title: "Job stopped", description: "The samples are kept." },
};
const FAILED: Record<Decision["action"], string> = {
  approve: "Couldn't approve the samples. Try again.",
  stop: "Couldn't stop the job. Try again.",
};

/** Ignores calls while one is in flight. */
export function useDecideProof(jobId: string) {
  const client = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (decision: Decision) => decideProof(jobId, decision),
    onSuccess: (job, { action }) => {
      replaceCachedJob(client, job);
      showToast({ ...DONE[action], variant: "success" });
    },
    onError: (error, { action }) => {
      const isRejected = error instanceof CallError && error.status >= 400 && error.status < 500;
      showToast({ title: "Error", description: isRejected ? error.message : FAILED[action], variant: "destructive" });
      // The page may be stale.
      if (!isRejected) return;
      for (const key of [jobKeys.job, jobKeys.videos, jobKeys.outputs]) {
        void client.invalidateQueries({ queryKey: key(jobId) });
      }
    },
  });
  return {
    decide: (decision: Decision) => {
      if (!isPending) mutate(decision);
    },
    deciding: isPending ? variables.action : null,
  };
}

/** After the job ends, comments come without live updates. */
const REFRESH_MS = 30_000;

export const feedbackKey = (jobId: string) => ["job-feedback", jobId] as const;

/**
 * Refetches when the samples are approved or the job is stopped, and while they wait with each change of the job's row,
 * which a comment changes. Reads nothing without samples.
 */
export function useFeedback(job: Job | undefined) {
  const id = job?.id ?? "";
  return useQuery({
    queryKey: [...feedbackKey(id), job?.proof_state, job?.awaiting_approval ? job.updated_at : null],
    queryFn: ({ signal }) => readFeedback(id, signal),
    enabled: job !== undefined && job.proof_state !== null,
    placeholderData: (earlier) => earlier,
    refetchInterval: REFRESH_MS,
  });
}
