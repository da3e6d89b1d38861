import { useQuery } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import { readFeedback } from "../../../api/proof.ts";

/** Comments come with no live update of their own once the job has ended. */
const REFRESH_MS = 30_000;

export const feedbackKey = (jobId: string) => ["job-feedback", jobId] as const;

/** Reads guest links and comments, and again with every change of the job: a comment changes it, too. */
export function useFeedback({ id, updated_at: updatedAt, awaiting_approval: isAwaited }: Job) {
  return useQuery({
    queryKey: [...feedbackKey(id), isAwaited ? updatedAt : "not awaited"],
    queryFn: ({ signal }) => readFeedback(id, signal),
    placeholderData: (earlier) => earlier,
    refetchInterval: REFRESH_MS,
  });
}
