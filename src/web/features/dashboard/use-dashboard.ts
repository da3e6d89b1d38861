import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { DashboardResponse } from "#contract/calls.ts";
import type { Job } from "#contract/jobs.ts";
import { loadDashboard } from "../../api/jobs.ts";
import type { RowChange } from "../../api/realtime.ts";
import { jobKeys } from "../../jobs/job-keys.ts";
import { keepNewer } from "../../jobs/newer-row.ts";
import { createRefresher } from "../../jobs/refresh-soon.ts";
import { createStatusWatch } from "../../jobs/status-watch.ts";
import { useLiveRows } from "../../jobs/use-live-rows.ts";
import { applyToDashboard } from "./dashboard-changes.ts";

/** Figures and places in the queue are read again this long after a job changed its status. */
const REFRESH_MS = 300;

/** What the dashboard shows, kept up to date by live changes. */
export function useDashboard(): { data: DashboardResponse | undefined; isLoading: boolean; isOffline: boolean } {
  const client = useQueryClient();
  const { data, error, isPending, isPaused } = useQuery({
    queryKey: jobKeys.dashboard,
    queryFn: async ({ signal }) => {
      const answer = await loadDashboard(localMidnight(), signal);
      const known = client.getQueryData<DashboardResponse>(jobKeys.dashboard);
      return { ...answer, jobs: keepNewer(answer.jobs, known?.jobs ?? []) };
    },
  });
  useEffect(() => {
    if (error) console.error("Failed to load dashboard data", error);
  }, [error]);
  useLiveDashboard();
  return { data, isLoading: isPending, isOffline: isPending && isPaused };
}

function useLiveDashboard() {
  const client = useQueryClient();
  const [isMove] = useState(createStatusWatch);
  const [refresher] = useState(() =>
    createRefresher(() => void client.invalidateQueries({ queryKey: jobKeys.dashboard }), REFRESH_MS),
  );
  useEffect(() => refresher.stop, [refresher]);

  function handleChange(change: RowChange<Job>) {
    client.setQueryData<DashboardResponse>(jobKeys.dashboard, (data) => data && applyToDashboard(data, change));
    if (isMove(change)) refresher.wish();
  }
  useLiveRows<Job>({
    channel: "dashboard_updates",
    table: "jobs",
    onChange: handleChange,
    onSubscribed: () => void client.invalidateQueries({ queryKey: jobKeys.dashboard }),
  });
}

function localMidnight(): Date {
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  return midnight;
}
