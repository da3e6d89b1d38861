import type { Job } from "#contract/jobs.ts";
import type { RowChange } from "../../api/realtime.ts";
import { matchesFilter, type HistoryFilter } from "../../jobs/history-filter.ts";
import { addJob, removeJob, replaceJob, type JobPages } from "../../jobs/job-pages.ts";

/**
 * What a live change makes of a loaded list: a new job goes on top when it matches the filter, an updated one is merged
 * into its card (and stays there, also when it no longer matches), a deleted one goes.
 */
export function applyToHistory(data: JobPages, change: RowChange<Job>, filter: HistoryFilter): JobPages {
  switch (change.type) {
    case "INSERT":
      return matchesFilter(change.row, filter) ? addJob(data, change.row) : data;
    case "UPDATE":
      return replaceJob(data, change.row);
    case "DELETE":
      return removeJob(data, change.id);
  }
}
