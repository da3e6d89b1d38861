import type { QueryClient } from "@tanstack/react-query";
import type { DashboardResponse } from "#contract/calls.ts";
import type { Job } from "#contract/jobs.ts";
import { matchesFilter, type HistoryFilter } from "./history-filter.ts";
import { jobKeys } from "./job-keys.ts";
import { addJob, changeJob, removeJob, type JobPages } from "./job-pages.ts";

/** Changes a job in every list and page that holds it. */
export function changeCachedJob(client: QueryClient, id: string, change: (job: Job) => Job): void {
  client.setQueryData<Job>(jobKeys.job(id), (job) => job && change(job));
  client.setQueryData<DashboardResponse>(
    jobKeys.dashboard,
    (data) => data && { ...data, jobs: data.jobs.map((job) => (job.id === id ? change(job) : job)) },
  );
  client.setQueriesData<JobPages>({ queryKey: jobKeys.histories }, (data) => data && changeJob(data, id, change));
}

/** Puts a new job on top of every history whose filter it matches. */
export function addToHistories(client: QueryClient, job: Job): void {
  for (const [key, data] of client.getQueriesData<JobPages>({ queryKey: jobKeys.histories })) {
    const filter = key[1] as HistoryFilter;
    if (data && matchesFilter(job, filter)) client.setQueryData<JobPages>(key, addJob(data, job));
  }
}

/** Takes deleted jobs out of every list, and forgets what else is known of them. */
export function forgetJobs(client: QueryClient, ids: readonly string[]): void {
  for (const id of ids) {
    client.setQueriesData<JobPages>({ queryKey: jobKeys.histories }, (data) => data && removeJob(data, id));
    for (const key of [jobKeys.job(id), jobKeys.videos(id), jobKeys.outputs(id), jobKeys.events(id)]) {
      client.removeQueries({ queryKey: key, type: "inactive" });
    }
  }
  void client.invalidateQueries({ queryKey: jobKeys.dashboard });
}
