import type { QueryClient } from "@tanstack/react-query";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../api/connection/realtime.ts";
import { readVideoPositions } from "../../api/jobs.ts";
import { type Batch, createBatch } from "../../jobs/cache/change-batch.ts";
import { jobKeys } from "../../jobs/cache/job-keys.ts";
import { replaceByNewer } from "../../jobs/cache/newer-row.ts";
import { createRefresher } from "../../jobs/cache/refresh-soon.ts";
import { addInJobOrder } from "./list/job-order.ts";

/** Batches renders. */
const BATCH_MS = 50;
/** Batches reads of all files. */
const REFRESH_MS = 1_000;

export function isReviewable({ status, media_url: mediaUrl }: JobOutput): boolean {
  return status === "Completed" && mediaUrl !== null;
}

/** Replaces rows by newer ones; removes files that were deleted or are being remade. */
export function applyReviewed(client: QueryClient, jobId: string, rows: readonly JobOutput[]): void {
  client.setQueryData<JobOutput[]>(
    jobKeys.review(jobId),
    (outputs) => outputs && replaceByNewer(outputs, rows).filter(isReviewable),
  );
}

/**
 * Updates cached files in batches, and adds new ones in job order. Refetches all if some were deleted, or if a new
 * file's video is unknown.
 */
export function createReviewChanges(client: QueryClient, jobId: string): Batch<RowChange<JobOutput>> {
  const queryKey = jobKeys.review(jobId);
  let positions: ReadonlyMap<string, number> = new Map();
  const refresher = createRefresher(async () => {
    const read = readVideoPositions(jobId).catch(() => positions);
    await client.invalidateQueries({ queryKey });
    positions = await read;
  }, REFRESH_MS);
  // A response in flight may lack the file.
  const canAdd = (output: JobOutput) => positions.has(output.video_id) && client.isFetching({ queryKey }) === 0;

  const batch = createBatch<RowChange<JobOutput>>((changes) => {
    const known = new Set(client.getQueryData<JobOutput[]>(queryKey)?.map(({ id }) => id));
    const rows = changes.flatMap((change) => (change.type === "DELETE" ? [] : [change.row]));
    applyReviewed(client, jobId, rows);
    const latest = new Map(rows.map((row) => [row.id, row]));
    const added = [...latest.values()].filter((row) => isReviewable(row) && !known.has(row.id));
    if (changes.some(({ type }) => type === "DELETE") || !added.every(canAdd)) refresher.request();
    else if (added.length > 0) {
      client.setQueryData<JobOutput[]>(queryKey, (outputs) => outputs && addInJobOrder(outputs, added, positions));
    }
  }, BATCH_MS);
  return {
    add: batch.add,
    stop() {
      batch.stop();
      refresher.stop();
    },
  };
}
