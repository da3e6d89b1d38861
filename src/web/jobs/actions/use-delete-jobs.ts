import { useMutation, useQueryClient, type MutationOptions, type QueryClient } from "@tanstack/react-query";
import type { DeleteJobsResponse } from "#contract/calls.ts";
import { isFinal, type Job } from "#contract/jobs/jobs.ts";
import { deleteJobs } from "../../api/jobs.ts";
import { showToast } from "../../ui/toasts/toast-list.ts";
import { pluralize } from "../row/pluralize.ts";
import { removeCachedJobs } from "../cache/job-cache.ts";

/** Removes deleted jobs from the cache and shows toasts. Rejected jobs do not fail the mutation; see `refused`. */
export function deleteJobsOptions(client: QueryClient): MutationOptions<DeleteJobsResponse, Error, readonly string[]> {
  return {
    mutationFn: deleteJobs,
    onSuccess: ({ deleted, refused }) => {
      removeCachedJobs(client, deleted);
      if (deleted.length > 0) {
        showToast({
          title: deleted.length === 1 ? "Job deleted" : `${deleted.length} jobs deleted`,
          variant: "success",
        });
      }
      const [first] = refused;
      if (first) showToast({ title: "Error", description: describeRejected(refused), variant: "destructive" });
    },
    onError: () => showToast({ title: "Error", description: "Couldn't delete. Try again.", variant: "destructive" }),
  };
}

function describeRejected(refused: DeleteJobsResponse["refused"]): string {
  const reason = refused[0]?.error ?? "";
  return refused.length === 1 ? reason : `${pluralize(refused.length, "job")} not deleted. ${reason}`;
}

/** `deleteJobsAsync` settles even after the component unmounts; callbacks of `deleteJobs` do not run then. */
export function useDeleteJobs() {
  const { mutate, mutateAsync, isPending } = useMutation(deleteJobsOptions(useQueryClient()));
  return { deleteJobs: mutate, deleteJobsAsync: mutateAsync, isDeleting: isPending };
}

/** Returns false for running jobs, which must be canceled first. */
export function canDelete({ status }: Pick<Job, "status">): boolean {
  return isFinal(status);
}
