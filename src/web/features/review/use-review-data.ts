import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { readOutputsInOrder } from "../../api/functions/job-files.ts";
import { jobKeys } from "../../jobs/cache/job-keys.ts";
import { keepNewer } from "../../jobs/cache/newer-row.ts";
import { useLiveRows } from "../../jobs/cache/use-live-rows.ts";
import { readWholeJob } from "../../jobs/read-whole-job.ts";
import { useLiveJob } from "../../jobs/use-live-job.ts";
import { createReviewChanges, isReviewable } from "./review-changes.ts";

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

/** Includes other reviewers' verdicts. */
export function useLiveReview(jobId: string): void {
  const client = useQueryClient();
  const [changes] = useState(() => createReviewChanges(client, jobId));
  useEffect(() => changes.stop, [changes]);
  useLiveJob(jobId);
  useLiveRows<JobOutput>({
    channel: `job-review-${jobId}`,
    table: "job_outputs",
    filter: `job_id=eq.${jobId}`,
    onChange: changes.add,
    onSubscribed: () => void client.invalidateQueries({ queryKey: jobKeys.review(jobId) }),
  });
}
