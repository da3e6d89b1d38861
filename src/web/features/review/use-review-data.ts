import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { readOutputsInOrder } from "../../api/functions/job-files.ts";
import type { RowChange } from "../../api/connection/realtime.ts";
import { createBatch } from "../../jobs/cache/change-batch.ts";
import { jobKeys } from "../../jobs/cache/job-keys.ts";
import { keepNewer, replaceByNewer } from "../../jobs/cache/newer-row.ts";
import { createRefresher } from "../../jobs/cache/refresh-soon.ts";
import { useLiveRows } from "../../jobs/cache/use-live-rows.ts";
import { readWholeJob } from "../../jobs/read-whole-job.ts";
import { useLiveJob } from "../../jobs/use-live-job.ts";

/** Batches renders. */
const BATCH_MS = 50;
/** Batches reads of files that a running job finishes. */
const NEW_FILES_MS = 1_000;

export function useReviewJob(jobId: string) {
  const client = useQueryClient();
  return useQuery({ queryKey: jobKeys.job(jobId), queryFn: () => readWholeJob(client, jobId) });
}

/** Reads finished files only, in job order. */
export function useReviewOutputs(jobId: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: jobKeys.review(jobId),
    queryFn: async () => {
      const outputs = (await readOutputsInOrder(jobId)).filter(isReviewable);
      return keepNewer(outputs, client.getQueryData<JobOutput[]>(jobKeys.review(jobId)) ?? []);
    },
    // Rerendering thousands of rows is faster than comparing them deeply.
    structuralSharing: false,
  });
}

function isReviewable({ status, media_url: mediaUrl }: JobOutput): boolean {
  return status === "Completed" && mediaUrl !== null;
}

/** Replaces rows by newer ones; removes files that were deleted or are being remade. */
export function applyReviewed(client: QueryClient, jobId: string, rows: readonly JobOutput[]): void {
  client.setQueryData<JobOutput[]>(
    jobKeys.review(jobId),
    (outputs) => outputs && replaceByNewer(outputs, rows).filter(isReviewable),
  );
}

/** Includes other reviewers' verdicts. */
export function useLiveReview(jobId: string): void {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: jobKeys.review(jobId) });
  const [newFiles] = useState(() => createRefresher(refresh, NEW_FILES_MS));
  const [batch] = useState(() =>
    createBatch<RowChange<JobOutput>>((changes) => {
      const known = new Set(client.getQueryData<JobOutput[]>(jobKeys.review(jobId))?.map(({ id }) => id));
      const rows = changes.flatMap((change) => (change.type === "DELETE" ? [] : [change.row]));
      applyReviewed(client, jobId, rows);
      const hasNew = rows.some((row) => isReviewable(row) && !known.has(row.id));
      if (hasNew || changes.some(({ type }) => type === "DELETE")) newFiles.request();
    }, BATCH_MS),
  );
  useEffect(
    () => () => {
      batch.stop();
      newFiles.stop();
    },
    [batch, newFiles],
  );
  useLiveJob(jobId);
  useLiveRows<JobOutput>({
    channel: `job-review-${jobId}`,
    table: "job_outputs",
    filter: `job_id=eq.${jobId}`,
    onChange: batch.add,
    onSubscribed: () => void refresh(),
  });
}
