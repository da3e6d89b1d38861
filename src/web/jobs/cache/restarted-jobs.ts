import { skipToken, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { shownLists } from "./history-cache.ts";
import { jobKeys } from "./job-keys.ts";

const NONE: readonly Job[] = [];

/** A rerun goes on top of the list that it was started from, even if it does not match the filter. */
export function noteRestarted(client: QueryClient, job: Job): void {
  if (shownLists(client).length === 0) return;
  client.setQueryData<readonly Job[]>(jobKeys.restarted, (jobs = NONE) => [job, ...jobs]);
}

/** `change` returns null to remove the job. */
export function changeRestarted(client: QueryClient, jobId: string, change: (job: Job) => Job | null): void {
  client.setQueryData<readonly Job[]>(jobKeys.restarted, (jobs) =>
    jobs?.some(({ id }) => id === jobId)
      ? jobs.flatMap((job) => (job.id === jobId ? (change(job) ?? []) : [job]))
      : jobs,
  );
}

/** Returns the jobs with the reruns started since the list was opened on top. */
export function useWithRestarted(jobs: readonly Job[]): readonly Job[] {
  const client = useQueryClient();
  const { data: restarted = NONE } = useQuery<readonly Job[]>({ queryKey: jobKeys.restarted, queryFn: skipToken });
  useEffect(() => () => client.removeQueries({ queryKey: jobKeys.restarted }), [client]);
  return withRestarted(jobs, restarted);
}

function withRestarted(jobs: readonly Job[], restarted: readonly Job[]): readonly Job[] {
  const listed = new Set(restarted.length > 0 ? jobs.map(({ id }) => id) : []);
  const others = restarted.filter(({ id }) => !listed.has(id));
  return others.length > 0 ? [...others, ...jobs] : jobs;
}
