import { useMutation, useQueryClient, type MutationOptions, type QueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs.ts";
import { createJob, readJob } from "../api/jobs.ts";
import { showToast } from "../ui/toast-list.ts";
import { addMatches, addToHistories } from "./history-cache.ts";
import { jobKeys } from "./job-keys.ts";
import { rerunRequest } from "./rerun-request.ts";
import { shownStatus } from "./status-label.ts";

/** Making a job again: reads it as it is stored, creates a copy, and puts that on top of the history. `isQuiet` leaves the toasts to the caller. */
export function rerunJobOptions(
  client: QueryClient,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): MutationOptions<Job, Error, string> {
  return {
    mutationFn: async (jobId) => createJob(rerunRequest(await readJob(jobId))),
    onSuccess: async (job) => {
      addToHistories(client, job);
      await addMatches(client, new Map([[job.id, job]]));
      await client.invalidateQueries({ queryKey: jobKeys.dashboard });
      if (isQuiet) return;
      showToast({ title: "Job Restarted", description: "The job has been queued for processing.", variant: "success" });
    },
    onError: () => {
      if (isQuiet) return;
      showToast({
        title: "Failed to Restart Job",
        description: "There was an error restarting the job. Please try again.",
        variant: "destructive",
      });
    },
  };
}

export function useRerunJob() {
  const { mutate, isPending } = useMutation(rerunJobOptions(useQueryClient()));
  return { rerun: mutate, isRerunning: isPending };
}

/** True for jobs that may be made again: not while they wait or run. A status unknown to this version counts as Queued. */
export function canRerun({ status }: Pick<Job, "status">): boolean {
  const shown = shownStatus(status);
  return shown !== "Queued" && shown !== "Processing";
}
