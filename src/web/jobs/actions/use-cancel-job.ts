import {
  useMutation,
  useMutationState,
  useQueryClient,
  type MutationOptions,
  type QueryClient,
} from "@tanstack/react-query";
import { CANCELLED_BY_USER, type Job } from "#contract/jobs/jobs.ts";
import { cancelJob } from "../../api/jobs.ts";
import { showToast } from "../../ui/toasts/toast-list.ts";
import { canCancel } from "./can-cancel.ts";
import { changeCachedJob } from "../cache/job-cache.ts";

const CANCEL_KEY = ["cancel-job"];

class CancelRejected extends Error {}

/**
 * Leaves the cache untouched while in flight (screens show Cancelling, see `useCancellingIds`), so that a failure
 * restores the current state. `isQuiet` leaves toasts to the caller.
 */
export function cancelJobOptions(
  client: QueryClient,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): MutationOptions<void, Error, string> {
  return {
    mutationKey: CANCEL_KEY,
    mutationFn: async (jobId) => {
      const { success, error } = await cancelJob(jobId);
      if (!success) throw new CancelRejected(error ?? "");
    },
    onSuccess: (_response, jobId) => {
      changeCachedJob(client, jobId, (job) => ({
        ...job,
        status: "Cancelled",
        queue_position: null,
        error_message: CANCELLED_BY_USER,
      }));
      if (!isQuiet) {
        showToast({
          title: "Job cancelled",
          description: "The job has been successfully cancelled.",
          variant: "success",
        });
      }
    },
    onError: (error) => {
      if (!isQuiet) showToast({ title: "Error", description: describeCancelFailure(error), variant: "destructive" });
    },
  };
}

/** Falls back to SPEC's text. */
export function describeCancelFailure(error: unknown): string {
  if (!(error instanceof CancelRejected)) return "Failed to cancel the job. Please try again.";
  return error.message || "Failed to cancel the job. The VPS may not support cancellation yet.";
}

/** Reports the result in a toast. */
export function useCancelJob(): (jobId: string) => void {
  const { mutate } = useMutation(cancelJobOptions(useQueryClient()));
  return mutate;
}

export function useCancellingIds(): ReadonlySet<string> {
  const ids = useMutationState({
    filters: { mutationKey: CANCEL_KEY, status: "pending" },
    select: (mutation) => mutation.state.variables as string,
  });
  return new Set(ids);
}

export function asCancelling(job: Job): Job {
  return canCancel(job) ? { ...job, status: "Cancelling", queue_position: null } : job;
}
