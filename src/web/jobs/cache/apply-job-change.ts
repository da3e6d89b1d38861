import type { QueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../api/connection/realtime.ts";
import { jobKeys } from "./job-keys.ts";
import { newerOf } from "./newer-row.ts";

/** Ignores changes older than the cached row. Refetches a deleted job, so that its screen shows the deletion. */
export function applyJobChange(client: QueryClient, jobId: string, change: RowChange<Job>): void {
  const queryKey = jobKeys.job(jobId);
  if (change.type === "DELETE") void client.invalidateQueries({ queryKey });
  else client.setQueryData<Job>(queryKey, (known) => newerOf(change.row, known));
}
