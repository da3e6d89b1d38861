import type { QueryClient } from "@tanstack/react-query";
import type { JobVideo } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../../api/connection/realtime.ts";
import { type Batch, createBatch } from "../../../jobs/cache/change-batch.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { replaceByNewer } from "../../../jobs/cache/newer-row.ts";
import { createRefresher } from "../../../jobs/cache/refresh-soon.ts";

/** Batches the refetch of videos that a changed proof replaces. */
const REFRESH_MS = 500;

/** Updates cached videos in batches. Refetches them if there are new or deleted ones. */
export function createVideoChanges(client: QueryClient, jobId: string, batchMs: number): Batch<RowChange<JobVideo>> {
  const queryKey = jobKeys.videos(jobId);
  const refresher = createRefresher(() => client.invalidateQueries({ queryKey }), REFRESH_MS);
  const batch = createBatch<RowChange<JobVideo>>((changes) => {
    const rows = changes.flatMap((change) => (change.type === "DELETE" ? [] : [change.row]));
    const videos = client.setQueryData<JobVideo[]>(queryKey, (known) => known && replaceByNewer(known, rows));
    const ids = new Set(videos?.map(({ id }) => id));
    if (changes.some((change) => change.type === "DELETE" || !ids.has(change.row.id))) refresher.request();
  }, batchMs);
  return {
    add: batch.add,
    stop() {
      batch.stop();
      refresher.stop();
    },
  };
}
