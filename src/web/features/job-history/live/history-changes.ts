import type { QueryClient } from "@tanstack/react-query";
import type { Job } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../../api/connection/realtime.ts";
import { addToHistories, changeHistories, markHiddenStale } from "../../../jobs/cache/history-cache.ts";
import { removeJob, replaceJob } from "../../../jobs/cache/job-pages.ts";

/**
 * Applies a live change to every cached list: a new job goes on top of those it matches, an updated one is merged into its
 * card (which stays, even when the job no longer matches), a deleted one goes. Lists that are not on screen are read again
 * when they are shown. The server decides which new jobs match a search (`createMatchQuestions`).
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
