import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { readWholeJob } from "../../../jobs/read-whole-job.ts";
import { useLiveJob } from "../../../jobs/use-live-job.ts";

/** PostgREST: a requested single row does not exist. */
const NO_SUCH_ROW = 406;

/** `created` is set for jobs created on this screen. */
export type FollowedJob = { id: string; created?: Job };

/** `isGone` becomes true once the job is deleted. */
export function useFollowedJob(followed: FollowedJob | null): { job: Job | null; isGone: boolean } {
  const client = useQueryClient();
  const id = followed?.id ?? "";
  const queryKey = jobKeys.job(id);
  const { data, error } = useQuery({
    queryKey,
    queryFn: () => readWholeJob(client, id),
    enabled: followed !== null,
    ...(followed?.created && { initialData: followed.created }),
  });
  useLiveJob(followed?.id ?? null);
  const isGone = error instanceof CallError && error.status === NO_SUCH_ROW;
  return { job: isGone ? null : (data ?? null), isGone };
}
