import type { QueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import { listJobs } from "../../../api/jobs.ts";
import type { RowChange } from "../../../api/connection/realtime.ts";
import { refreshTotals, shownLists } from "../../../jobs/cache/history-cache.ts";
import { changeCachedJob } from "../../../jobs/cache/job-cache.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { jobsOf, type JobPages } from "../../../jobs/cache/job-pages.ts";
import { createRefresher } from "../../../jobs/cache/refresh-soon.ts";
import { createStatusWatch } from "../../../jobs/status/status-watch.ts";
import { createMatchChecker } from "../match-questions.ts";
import { applyToHistories } from "./history-changes.ts";

/** Batches the refetch of totals and queue positions after status changes. */
const REFRESH_MS = 300;
/** The server's maximum per call. */
const MAX_QUEUED = 100;

type LiveHistory = {
  /** Pass every live change. */
  note: (change: RowChange<Job>) => void;
  /** Returns a function that stops. */
  start: () => () => void;
};

/** Keeps all cached lists current: cards, their places, and totals. */
export function createLiveHistory(client: QueryClient): LiveHistory {
  const isStatusChange = createStatusWatch();
  const positions = createRefresher(() => refreshPositions(client), REFRESH_MS);
  const totals = createRefresher(() => refreshTotals(client), REFRESH_MS);
  const questions = createMatchChecker(client, totals.request);
  const refresh = () => {
    totals.request();
    if (hasQueued(client)) positions.request();
  };
  const repeat = repeatAfterFetches(client, refresh);
  return {
    note(change) {
      repeat.note(change);
      questions.note(change);
      applyToHistories(client, change);
      if (isStatusChange(change)) refresh();
    },
    start() {
      const stopRepeating = repeat.start();
      return () => {
        stopRepeating();
        for (const task of [positions, totals, questions]) task.stop();
      };
    },
  };
}

/** Applies changes that arrive during a fetch once more after it: its response may be older than they are, and its other pages always are. */
function repeatAfterFetches(client: QueryClient, onRepeated: () => void) {
  const changes = new Map<string, RowChange<Job>>();
  const isFetching = () => client.isFetching({ queryKey: jobKeys.histories }) > 0;
  return {
    start: () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== "updated" || event.action.type !== "success" || event.action.manual) return;
        if (event.query.queryKey[0] !== jobKeys.histories[0]) return;
        if (changes.size === 0) return;
        for (const change of changes.values()) applyToHistories(client, change);
        onRepeated();
        if (!isFetching()) changes.clear();
      }),
    note(change: RowChange<Job>) {
      if (isFetching()) changes.set(change.type === "DELETE" ? change.id : change.row.id, change);
      else changes.clear();
    },
  };
}

function hasQueued(client: QueryClient): boolean {
  return shownLists(client).some(
    ({ state }) => state.data !== undefined && jobsOf(state.data as JobPages).some(({ status }) => status === "Queued"),
  );
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
