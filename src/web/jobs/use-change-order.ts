import { useMutation, useQueryClient, type MutationOptions, type QueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs.ts";
import { CallError } from "../api/call-error.ts";
import { bumpJob, holdJob, releaseJob } from "../api/jobs.ts";
import { showToast } from "../ui/toast-list.ts";
import { replaceCachedJob } from "./job-cache.ts";

export type OrderChange = "bump" | "hold" | "release";
type Wish = { jobId: string; change: OrderChange };

const CALLS = { bump: bumpJob, hold: holdJob, release: releaseJob };

const DONE: Record<OrderChange, { title: string; description: string }> = {
  bump: { title: "Moved to the front", description: "Its waiting videos come next." },
  hold: { title: "Job on hold", description: "Its waiting videos stay where they are until you release it." },
  release: { title: "Job released", description: "Its waiting videos have their turn again." },
};

const FAILED: Record<OrderChange, string> = {
  bump: "Failed to move the job to the front. Please try again.",
  hold: "Failed to put the job on hold. Please try again.",
  release: "Failed to release the job. Please try again.",
};

/** Changing when a job's waiting videos are begun. Other jobs' places in the queue follow by live updates. */
export function changeOrderOptions(client: QueryClient): MutationOptions<Job, Error, Wish> {
  return {
    mutationFn: ({ jobId, change }) => CALLS[change](jobId),
    onSuccess: (job, { change }) => {
      replaceCachedJob(client, job);
      showToast({ ...DONE[change], variant: "success" });
    },
    onError: (error, { change }) => {
      const isRefusal = error instanceof CallError && error.status >= 400 && error.status < 500;
      // The server's own sentence when it refused; what broke says nothing that an operator could act on.
      showToast({ title: "Error", description: isRefusal ? error.message : FAILED[change], variant: "destructive" });
    },
  };
}

/** `changeOrder` ignores what is asked for while the last change is on its way. */
export function useChangeOrder() {
  const { mutate, isPending } = useMutation(changeOrderOptions(useQueryClient()));
  return {
    changeOrder: (jobId: string, change: OrderChange) => {
      if (!isPending) mutate({ jobId, change });
    },
    isChanging: isPending,
  };
}
