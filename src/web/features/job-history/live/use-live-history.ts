import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { listJobs } from "../../../api/jobs.ts";
import type { RowChange } from "../../../api/connection/realtime.ts";
import { mayFetchUndo } from "../../../jobs/cache/history-cache.ts";
import { changeCachedJob } from "../../../jobs/cache/job-cache.ts";
import type { HistoryFilter } from "../../../jobs/cache/history-filter.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { jobsOf, type JobPages } from "../../../jobs/cache/job-pages.ts";
import { createRefresher } from "../../../jobs/cache/refresh-soon.ts";
import { createStatusWatch } from "../../../jobs/status/status-watch.ts";
import { useLiveRows } from "../../../jobs/cache/use-live-rows.ts";
import { applyToHistories } from "./history-changes.ts";
import { createMatchChecker } from "../match-questions.ts";

/** Batches the refetch of queue positions after status changes. */
const REFRESH_MS = 500;
/** The server's maximum per call. */
const MAX_QUEUED = 100;

/** Keeps all cached lists current; `filter` is the one on screen. */
export function useLiveHistory(filter: HistoryFilter): void {
  const client = useQueryClient();
  const [isStatusChange] = useState(createStatusWatch);
  const [positions] = useState(() => createRefresher(() => refreshPositions(client), REFRESH_MS));
  const [questions] = useState(() => createMatchChecker(client));
  const [refetcher] = useState(() => createRefresher(() => refetchShown(client), REFRESH_MS));
  useEffect(
    () => () => {
      for (const task of [positions, questions, refetcher]) task.stop();
    },
    [positions, questions, refetcher],
  );

  const key = jobKeys.history(filter);
  function handleChange(change: RowChange<Job>) {
    const hasNewStatus = isStatusChange(change);
    if (hasNewStatus && mayFetchUndo(client, change)) refetcher.request();
    applyToHistories(client, change);
    questions.note(change);
    if (hasNewStatus && hasQueued(client.getQueryData<JobPages>(key))) positions.request();
  }
  useLiveRows<Job>({
    channel: "job_history_updates",
    table: "jobs",
    onChange: handleChange,
    onSubscribed: (isFirst) =>
      void client.invalidateQueries({
        queryKey: jobKeys.histories,
        // Lists that the server rejected wait for "Try again"; unreachable ones can load now.
        predicate: ({ state }) => !isFirst || state.status !== "error" || wasUnreachable(state.error),
      }),
  });
}

function wasUnreachable(error: Error | null): boolean {
  return error instanceof CallError && error.status === 0;
}

/** Waits for any fetch in progress, then refetches. */
async function refetchShown(client: QueryClient): Promise<void> {
  const shown = { queryKey: jobKeys.histories, type: "active" } as const;
  if (client.isFetching(shown) > 0) await client.refetchQueries(shown, { cancelRefetch: false });
  await client.refetchQueries(shown);
}

function hasQueued(data: JobPages | undefined): boolean {
  return data !== undefined && jobsOf(data).some(({ status }) => status === "Queued");
}

/** Positions change without row changes, and one call for queued jobs replaces many pages. */
async function refreshPositions(client: QueryClient): Promise<void> {
  const queued = await listJobs({ page: "1", limit: String(MAX_QUEUED), status: "Queued" }).catch(() => null);
  for (const job of queued?.jobs ?? []) {
    changeCachedJob(client, job.id, (cached) =>
      cached.status === "Queued" ? { ...cached, queue_position: job.queue_position } : cached,
    );
  }
}
