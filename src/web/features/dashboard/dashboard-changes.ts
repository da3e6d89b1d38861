import type { DashboardResponse } from "#contract/calls.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../api/connection/realtime.ts";
import { newerOf } from "../../jobs/cache/newer-row.ts";

const RECENT_JOBS = 5;

export function applyToDashboard(data: DashboardResponse, change: RowChange<Job>): DashboardResponse {
  if (change.type === "DELETE")
    return withJobs(
      data,
      data.jobs.filter(({ id }) => id !== change.id),
    );
  const { row } = change;
  if (data.jobs.some(({ id }) => id === row.id)) {
    return withJobs(
      data,
      data.jobs.map((job) => (job.id === row.id ? newerOf(row, job) : job)),
    );
  }
  return change.type === "INSERT" ? withJobs(data, [row, ...data.jobs].slice(0, RECENT_JOBS)) : data;
}

function withJobs(data: DashboardResponse, jobs: Job[]): DashboardResponse {
  return { ...data, jobs };
}
