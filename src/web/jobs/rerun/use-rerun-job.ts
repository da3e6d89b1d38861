import { useMutation, useQueryClient, type MutationOptions, type QueryClient } from "@tanstack/react-query";
import { sizeProblem } from "#contract/jobs/size-problem.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { createJob, readJob } from "../../api/jobs.ts";
import { showToast } from "../../ui/toasts/toast-list.ts";
import { askForMatches, putInHistories } from "../cache/history-cache.ts";
import { jobKeys } from "../cache/job-keys.ts";
import { noteRestarted } from "../cache/restarted-jobs.ts";
import { rerunRequest } from "./rerun-request.ts";
import { shownStatus } from "../status/status-label.ts";

/** Copies the stored job and adds it to the history. `isQuiet` leaves toasts to the caller. */
export function rerunJobOptions(
  client: QueryClient,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): MutationOptions<Job, Error, string> {
  return {
    mutationFn: async (jobId) => {
      const old = await readJob(jobId);
      const problem = sizeProblem(old);
      if (problem) throw new TooLargeError(problem.description);
      return createJob(rerunRequest(old));
    },
    onSuccess: async (job) => {
      noteRestarted(client, job);
      putInHistories(client, job);
      await askForMatches(client, new Map([[job.id, job]]));
      await client.invalidateQueries({ queryKey: jobKeys.dashboard });
      if (isQuiet) return;
      showToast({ title: "Job Restarted", description: "The job has been queued for processing.", variant: "success" });
    },
    onError: (error) => {
      if (isQuiet) return;
      showToast({
        title: "Failed to Restart Job",
        description: describeRerunFailure(error),
        variant: "destructive",
      });
    },
  };
}

/** The job is older than the limit named in the message. */
class TooLargeError extends Error {}

/**
 * Explains why the settings were rejected (a missing watermark image, for example); SPEC's text (8.15) for other
 * failures.
 */
export function describeRerunFailure(error: unknown): string {
  const isRejected = error instanceof CallError && error.status === 400 && error.title !== null;
  if (error instanceof TooLargeError || isRejected) return error.message;
  return "There was an error restarting the job. Please try again.";
}

/** Reports the result in a toast. `onSuccess` receives the new job. */
export function useRerunJob() {
  const { mutate, isPending } = useMutation(rerunJobOptions(useQueryClient()));
  return { rerun: mutate, isRerunning: isPending };
}

/** Treats unknown statuses as Queued. */
export function canRerun({ status }: Pick<Job, "status">): boolean {
  const shown = shownStatus(status);
  return shown !== "Queued" && shown !== "Processing";
}
