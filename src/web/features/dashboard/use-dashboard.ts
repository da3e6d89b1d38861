import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { DashboardResponse } from "#contract/calls.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../api/connection/realtime.ts";
import { listAudioSets, listCaptionSets } from "../../api/functions/set-functions.ts";
import { loadDashboard } from "../../api/jobs.ts";
import type { SavedSet } from "../../api/set-tables.ts";
import { jobKeys } from "../../jobs/cache/job-keys.ts";
import { keepNewer } from "../../jobs/cache/newer-row.ts";
import { createRefresher } from "../../jobs/cache/refresh-soon.ts";
import { useLiveRows } from "../../jobs/cache/use-live-rows.ts";
import { useReadiness } from "../../jobs/cache/use-readiness.ts";
import { createStatusWatch } from "../../jobs/status/status-watch.ts";
import { applyToDashboard } from "./dashboard-changes.ts";

export type SavedItems = { sets: number; items: number };

/** Batches the refetch of statistics and queue positions after status changes. */
const REFRESH_MS = 300;

/** Makes three parallel calls; live changes update the jobs. */
export function useDashboard() {
  const isReady = useLiveDashboard();
  const jobs = useDashboardJobs(isReady);
  const captionSets = useSavedItems(["dashboard-sets", "caption"], listCaptionSets, isReady);
  const audioSets = useSavedItems(["dashboard-sets", "audio"], listAudioSets, isReady);
  return { ...jobs, captionSets, audioSets };
}

function useDashboardJobs(isReady: boolean) {
  const client = useQueryClient();
  const { data, error, isPending, isPaused } = useQuery({
    queryKey: jobKeys.dashboard,
    enabled: isReady,
    queryFn: async ({ signal }) => {
      const response = await loadDashboard(localMidnight(), signal);
      const cached = client.getQueryData<DashboardResponse>(jobKeys.dashboard);
      return { ...response, jobs: keepNewer(response.jobs, cached?.jobs ?? []) };
    },
  });
  useLoggedError(error);
  return { data, isLoading: isPending, isOffline: isPending && isPaused };
}

/** Returns undefined while loading; zero on failure. */
function useSavedItems(
  queryKey: readonly string[],
  listSets: (signal: AbortSignal) => Promise<SavedSet[]>,
  isReady: boolean,
): SavedItems | undefined {
  const { data, error, isPending } = useQuery({
    queryKey,
    enabled: isReady,
    queryFn: ({ signal }) => listSets(signal),
    // Sets have no live updates.
    staleTime: 0,
    select: (sets): SavedItems => ({ sets: sets.length, items: sets.reduce((sum, set) => sum + set.items.length, 0) }),
  });
  useLoggedError(error);
  return isPending ? undefined : (data ?? { sets: 0, items: 0 });
}

function useLoggedError(error: Error | null): void {
  useEffect(() => {
    if (error) console.error("Failed to load dashboard data", error);
  }, [error]);
}

/** Returns true when the data may be loaded (`useReadiness`). */
function useLiveDashboard(): boolean {
  const client = useQueryClient();
  const { isReady, setReady } = useReadiness();
  const [isStatusChange] = useState(createStatusWatch);
  const [refresher] = useState(() =>
    createRefresher(() => client.invalidateQueries({ queryKey: jobKeys.dashboard }), REFRESH_MS),
  );
  useEffect(() => refresher.stop, [refresher]);
  // A new "today" starts.
  useAtMidnight(refresher.request);

  function handleChange(change: RowChange<Job>) {
    client.setQueryData<DashboardResponse>(jobKeys.dashboard, (data) => data && applyToDashboard(data, change));
    if (isStatusChange(change)) refresher.request();
  }
  useLiveRows<Job>({
    channel: "dashboard_updates",
    table: "jobs",
    onChange: handleChange,
    onSubscribed: () => {
      // Refetches, or loads once the query is enabled.
      void client.invalidateQueries({ queryKey: jobKeys.dashboard });
      setReady();
    },
  });
  return isReady;
}

function localMidnight(): Date {
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  return midnight;
}

/** Calls `onMidnight` shortly after each local midnight while mounted. */
function useAtMidnight(onMidnight: () => void): void {
  const handleMidnight = useEffectEvent(onMidnight);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    function wait() {
      timer = setTimeout(() => {
        handleMidnight();
        wait();
      }, nextMidnight().getTime() - Date.now());
    }
    wait();
    return () => clearTimeout(timer);
  }, []);
}

function nextMidnight(): Date {
  const midnight = new Date();
  midnight.setHours(24, 0, 0, 0);
  return midnight;
}
