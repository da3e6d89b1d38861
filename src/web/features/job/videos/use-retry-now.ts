import { type MutationOptions, type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { retryNow, type RetryNowRequest } from "../../../api/jobs.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { showToast } from "../../../ui/toasts/toast-list.ts";

class RetryRejected extends Error {}

/** Shows toasts and refetches the job. Fails with the server's message if it rejects. */
export function retryNowOptions(client: QueryClient): MutationOptions<void, Error, RetryNowRequest> {
  return {
    mutationFn: async (request) => {
      const { success, error } = await retryNow(request);
      if (!success) throw new RetryRejected(error ?? "");
    },
    onSuccess: async (_response, { jobId, videoId }) => {
      const description = videoId === undefined ? "The videos are being retried." : "The video is being retried.";
      showToast({ title: "Retrying", description, variant: "success" });
      // Live updates bring the videos and outputs.
      await client.invalidateQueries({ queryKey: jobKeys.job(jobId) });
    },
    onError: (error) => {
      const isRejected = error instanceof RetryRejected && error.message !== "";
      const description = isRejected ? error.message : "Couldn't retry. Try again.";
      showToast({ title: "Error", description, variant: "destructive" });
    },
  };
}

/** `isRetrying` is true only for the reason of the request in flight. */
export function useRetryNow() {
  const { mutate, isPending, variables } = useMutation(retryNowOptions(useQueryClient()));
  return { retry: mutate, isRetrying: (reason: string) => isPending && variables.reason === reason };
}
