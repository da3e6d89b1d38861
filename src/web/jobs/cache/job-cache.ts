import type { QueryClient } from "@tanstack/react-query";
import type { DashboardResponse } from "#contract/calls.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { changeInHistories, putInHistories, removeFromHistories } from "./history-cache.ts";
import { jobKeys } from "./job-keys.ts";
import { newerOf } from "./newer-row.ts";
import { changeRestarted } from "./restarted-jobs.ts";

export function changeCachedJob(client: QueryClient, jobId: string, change: (job: Job) => Job): void {
  client.setQueryData<Job>(jobKeys.job(jobId), (job) => job && change(job));
  client.setQueryData<DashboardResponse>(
    jobKeys.dashboard,
    (data) => data && { ...data, jobs: data.jobs.map((job) => (job.id === jobId ? change(job) : job)) },
  );
  changeInHistories(client, jobId, change);
  changeRestarted(client, jobId, change);
}

export function replaceCachedJob(client: QueryClient, job: Job): void {
  changeCachedJob(client, job.id, (known) => newerOf(job, known));
  putInHistories(client, job);
}

export function removeCachedJobs(client: QueryClient, ids: readonly string[]): void {
  for (const id of ids) {
    removeFromHistories(client, id);
    changeRestarted(client, id, () => null);
    for (const key of [jobKeys.job(id), jobKeys.videos(id), jobKeys.outputs(id), jobKeys.events(id)]) {
      client.removeQueries({ queryKey: key, type: "inactive" });
    }
  }
  void client.invalidateQueries({ queryKey: jobKeys.dashboard });
}
