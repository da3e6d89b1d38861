import { useMutation, useQueryClient } from "@tanstack/react-query";
import { cancelJobOptions, describeCancelFailure } from "../../../jobs/actions/use-cancel-job.ts";
import { useDeleteJobs } from "../../../jobs/actions/use-delete-jobs.ts";
import { downloadZip } from "../../../jobs/actions/use-download-zip.ts";
import { describeRerunFailure, rerunJobOptions } from "../../../jobs/rerun/use-rerun-job.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { showToast } from "../../../ui/toasts/toast-list.ts";

/** Treats each job as its own action does; toasts summarize. */
export function useManyJobs() {
  const client = useQueryClient();
  const { deleteJobs, isDeleting } = useDeleteJobs();
  const mutations = client.getMutationCache();

  const cancel = useMutation({
    mutationFn: (ids: string[]) =>
      // In parallel, so that all cards show Cancelling immediately.
      allJobs(ids, (id) => mutations.build(client, cancelJobOptions(client, { isQuiet: true })).execute(id)),
    onSuccess: (outcome) =>
      report(outcome, {
        done: (count) =>
          count === 1
            ? { title: "Job cancelled", description: "The job has been successfully cancelled." }
            : { title: "Jobs cancelled", description: `${pluralize(count, "job")} have been successfully cancelled.` },
        failed: { title: "Error", description: describeCancelFailure(outcome.failures[0]) },
      }),
  });
  const rerun = useMutation({
    mutationFn: (ids: string[]) =>
      // New jobs go on top, so rerunning the oldest first keeps the order.
      forEachJob(ids.toReversed(), (id) =>
        mutations.build(client, rerunJobOptions(client, { isQuiet: true })).execute(id),
      ),
    onSuccess: (outcome) =>
      report(outcome, {
        done: (count) =>
          count === 1
            ? { title: "Job Restarted", description: "The job has been queued for processing." }
            : { title: "Jobs Restarted", description: `${pluralize(count, "job")} have been queued for processing.` },
        failed: { title: "Failed to Restart Job", description: describeRerunFailure(outcome.failures[0]) },
      }),
  });
  const download = useMutation({
    mutationFn: (ids: string[]) => forEachJob(ids, downloadZip),
    onSuccess: (outcome) =>
      report(outcome, { failed: { title: "Error", description: "Couldn't download the files. Try again." } }),
  });
  return {
    cancel: cancel.mutate,
    isCancelling: cancel.isPending,
    rerun: rerun.mutate,
    isRerunning: rerun.isPending,
    download: download.mutate,
    isDownloading: download.isPending,
    deleteAll: deleteJobs,
    isDeleting,
  };
}

type Words = { title: string; description: string };

function report({ done, failures }: Outcome, words: { done?: (count: number) => Words; failed: Words }): void {
  if (done > 0 && words.done) showToast({ ...words.done(done), variant: "success" });
  if (failures.length === 0) return;
  const { title, description } = words.failed;
  const count = failures.length === 1 ? "" : `${pluralize(failures.length, "job")}: `;
  showToast({ title, description: count + description, variant: "destructive" });
}

type Outcome = { done: number; failures: unknown[] };

/** Runs one at a time; continues after failures. */
async function forEachJob(ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<Outcome> {
  const outcome: Outcome = { done: 0, failures: [] };
  for (const id of ids) {
    try {
      await act(id);
      outcome.done += 1;
    } catch (error) {
      outcome.failures.push(error);
    }
  }
  return outcome;
}

/** Runs in parallel. */
async function allJobs(ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<Outcome> {
  const results = await Promise.allSettled(ids.map(act));
  const failures = results.filter((result) => result.status === "rejected").map((result): unknown => result.reason);
  return { done: results.length - failures.length, failures };
}
