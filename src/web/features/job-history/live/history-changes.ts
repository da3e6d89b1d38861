import type { QueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../../api/connection/realtime.ts";
import { addToHistories, changeHistories, markHiddenStale } from "../../../jobs/cache/history-cache.ts";
import { removeJob, replaceJob } from "../../../jobs/cache/job-pages.ts";

/**
 * Puts a new matching job on top, updates a job's card (even if it no longer matches), removes a deleted one. Lists off
 * screen are refetched when shown. The server decides which new jobs match a search (`createMatchChecker`).
 */
export function applyToHistories(client: QueryClient, change: RowChange<Job>): void {
  switch (change.type) {
    case "INSERT":
      addToHistories(client, change.row);
      break;
    case "UPDATE":
      changeHistories(client, (data) => replaceJob(data, change.row));
      break;
    case "DELETE":
      changeHistories(client, (data) => removeJob(data, change.id));
      break;
  }
  markHiddenStale(client);
}
