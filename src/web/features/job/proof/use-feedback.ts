import { useQuery } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import { readFeedback } from "../../../api/proof.ts";

/** After the job ends, comments come without live updates. */
const REFRESH_MS = 30_000;

export const feedbackKey = (jobId: string) => ["job-feedback", jobId] as const;

/** Refetches when the job changes: comments change its row. */
export function useFeedback({ id, updated_at: updatedAt, awaiting_approval: isAwaited }: Job) {
  return useQuery({
    queryKey: [...feedbackKey(id), isAwaited ? updatedAt : "not awaited"],
    queryFn: ({ signal }) => readFeedback(id, signal),
    placeholderData: (earlier) => earlier,
    refetchInterval: REFRESH_MS,
  });
}
