import type { QueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../../api/connection/realtime.ts";
import { markHiddenStale, putInHistories, removeFromHistories } from "../../../jobs/cache/history-cache.ts";
import { newerOf } from "../../../jobs/cache/newer-row.ts";
import { changeRestarted } from "../../../jobs/cache/restarted-jobs.ts";

/**
 * A job joins the lists that it matches and leaves the others. Lists off screen are refetched when shown. The server
 * decides which jobs match a search (`createMatchChecker`).
 */
export function applyToHistories(client: QueryClient, change: RowChange<Job>): void {
  if (change.type === "DELETE") {
    removeFromHistories(client, change.id);
    changeRestarted(client, change.id, () => null);
  } else {
    putInHistories(client, change.row);
    changeRestarted(client, change.row.id, (job) => newerOf(change.row, job));
  }
  markHiddenStale(client);
}
