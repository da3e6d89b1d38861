import { useMutation, useQueryClient, type MutationOptions, type QueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { retryJob } from "../../api/jobs.ts";
import { showToast } from "../../ui/toasts/toast-list.ts";
import { replaceCachedJob } from "../cache/job-cache.ts";
import { jobKeys } from "../cache/job-keys.ts";

/** Keeps finished files. */
export function retryJobOptions(client: QueryClient): MutationOptions<Job, Error, string> {
  return {
    mutationFn: retryJob,
    onSuccess: async (job) => {
      replaceCachedJob(client, job);
      showToast({ title: "Retrying", description: "Failed videos are back in the queue.", variant: "success" });
      await Promise.all(
        [jobKeys.videos(job.id), jobKeys.outputs(job.id)].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    },
    onError: (error) => showToast({ title: "Error", description: describeFailure(error), variant: "destructive" }),
  };
}

/** Only a rejection's message helps the operator. */
function describeFailure(error: Error): string {
  const isRejected = error instanceof CallError && error.status >= 400 && error.status < 500;
  return isRejected ? error.message : "Couldn't retry the job. Try again.";
}

/** Reports the result in a toast. */
export function useRetryJob() {
  const { mutate, isPending } = useMutation(retryJobOptions(useQueryClient()));
  return { retry: mutate, isRetrying: isPending };
}

export function canRetry({ status, error_message: message }: Pick<Job, "status" | "error_message">): boolean {
  return status === "Failed" || (status === "Completed" && message !== null);
}
