import { useMutation, useQueryClient, type MutationOptions, type QueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { bumpJob, holdJob, releaseJob } from "../../api/jobs.ts";
import { showToast } from "../../ui/toasts/toast-list.ts";
import { replaceCachedJob } from "../cache/job-cache.ts";

export type OrderChange = "bump" | "hold" | "release";
type OrderRequest = { jobId: string; change: OrderChange };

const CALLS = { bump: bumpJob, hold: holdJob, release: releaseJob };

const DONE: Record<OrderChange, { title: string; description: string }> = {
  bump: { title: "Moved to the front", description: "The job's waiting videos are next." },
  hold: { title: "Job on hold", description: "Waiting videos stay on hold until you release the job." },
  release: { title: "Job released", description: "Waiting videos are back in the queue." },
};

const FAILED: Record<OrderChange, string> = {
  bump: "Couldn't move the job to the front. Try again.",
  hold: "Couldn't put the job on hold. Try again.",
  release: "Couldn't release the job. Try again.",
};

/** Live updates bring the other jobs' new positions. */
export function changeOrderOptions(client: QueryClient): MutationOptions<Job, Error, OrderRequest> {
  return {
    mutationFn: ({ jobId, change }) => CALLS[change](jobId),
    onSuccess: (job, { change }) => {
      replaceCachedJob(client, job);
      showToast({ ...DONE[change], variant: "success" });
    },
    onError: (error, { change }) => {
      const isRejected = error instanceof CallError && error.status >= 400 && error.status < 500;
      // Only a rejection's message helps the operator.
      showToast({ title: "Error", description: isRejected ? error.message : FAILED[change], variant: "destructive" });
    },
  };
}

/** Ignores calls while one is in flight. */
export function useChangeOrder() {
  const { mutate, isPending } = useMutation(changeOrderOptions(useQueryClient()));
  return {
    changeOrder: (jobId: string, change: OrderChange) => {
      if (!isPending) mutate({ jobId, change });
    },
    isChanging: isPending,
  };
}
