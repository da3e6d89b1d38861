import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CallError } from "../../../api/functions/call-error.ts";
import { type Decision, decideProof } from "../../../api/proof.ts";
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
      const isRefusal = error instanceof CallError && error.status >= 400 && error.status < 500;
      showToast({ title: "Error", description: isRefusal ? error.message : FAILED[action], variant: "destructive" });
      // The page may be stale.
      if (!isRefusal) return;
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
