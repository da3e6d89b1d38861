import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { readWholeJob } from "../../../jobs/read-whole-job.ts";
import { isMissingJob } from "../../../jobs/job-address.ts";
import { useLiveJob } from "../../../jobs/use-live-job.ts";

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
  const isGone = isMissingJob(error);
  return { job: isGone ? null : (data ?? null), isGone };
}
