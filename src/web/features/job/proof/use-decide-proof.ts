import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CallError } from "../../../api/functions/call-error.ts";
import { type Decision, decideProof } from "../../../api/proof.ts";
import { replaceCachedJob } from "../../../jobs/cache/job-cache.ts";
import { showToast } from "../../../ui/toasts/toast-list.ts";

const DONE: Record<Decision, { title: string; description: string }> = {
  approve: { title: "Samples approved", description: "All other videos are in the queue." },
  stop: { title: "Job stopped", description: "The samples are kept." },
};
const FAILED: Record<Decision, string> = {
  approve: "Couldn't approve the samples. Try again.",
  stop: "Couldn't stop the job. Try again.",
};

/** Ignores calls while one is in flight. */
export function useDecideProof(jobId: string) {
  const client = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (decision: Decision) => decideProof(jobId, decision),
    onSuccess: (job, decision) => {
      replaceCachedJob(client, job);
      showToast({ ...DONE[decision], variant: "success" });
    },
    onError: (error, decision) => {
      const isRefusal = error instanceof CallError && error.status >= 400 && error.status < 500;
      showToast({ title: "Error", description: isRefusal ? error.message : FAILED[decision], variant: "destructive" });
    },
  });
  return {
    decide: (decision: Decision) => {
      if (!isPending) mutate(decision);
    },
    deciding: isPending ? variables : null,
  };
}
