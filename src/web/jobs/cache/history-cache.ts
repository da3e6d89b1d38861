import type { Query, QueryClient } from "@tanstack/react-query";
import { matchesJobFilter } from "#contract/jobs/job-filter.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { listJobs } from "../../api/jobs.ts";
import type { RowChange } from "../../api/connection/realtime.ts";
import { toListFilter, type HistoryFilter } from "./history-filter.ts";
import { jobKeys } from "./job-keys.ts";
import { addJob, jobsById, type JobPages } from "./job-pages.ts";
import { newerOf } from "./newer-row.ts";

/** The server's limit per check. */
const MAX_IDS = 100;

/** Includes lists off screen. */
export function changeHistories(client: QueryClient, change: (data: JobPages) => JobPages): void {
  client.setQueriesData<JobPages>({ queryKey: jobKeys.histories }, (data) => data && change(data));
}

/** Jobs may have joined or left lists off screen. */
export function markHiddenStale(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: jobKeys.histories, type: "inactive", refetchType: "none" });
}

/** Adds to the top of matching lists, except searches. */
export function addToHistories(client: QueryClient, job: Job): void {
  for (const query of client.getQueryCache().findAll({ queryKey: jobKeys.histories })) {
    const filter = filterOf(query);
    if (filter.search !== "" || !matchesJobFilter(job, filter)) continue;
    client.setQueryData<JobPages>(query.queryKey, (data) => data && addJob(data, job));
  }
}

/** Only the server can match new jobs to a search. */
export function isSearchShown(client: QueryClient): boolean {
  return shownSearches(client).length > 0;
}

/**
 * Asks the server, as only it can match file names. Skips jobs removed from the map meanwhile; prefers the map's newer
 * rows.
 */
export async function addMatches(client: QueryClient, jobs: ReadonlyMap<string, Job>): Promise<void> {
  const ids = [...jobs.keys()];
  await Promise.all(shownSearches(client).map((query) => addMatchesTo(client, query, ids, jobs)));
}

async function addMatchesTo(
  client: QueryClient,
  query: Query,
  ids: string[],
  jobs: ReadonlyMap<string, Job>,
): Promise<void> {
  const request = { page: "1", limit: String(ids.length), ...toListFilter(filterOf(query)), ids };
  const response = ids.length <= MAX_IDS ? await listJobs(request).catch(() => null) : null;
  if (!response) return client.invalidateQueries({ queryKey: query.queryKey, exact: true });
  const found = response.jobs.filter((job) => jobs.has(job.id)).map((job) => newerOf(job, jobs.get(job.id)));
  client.setQueryData<JobPages>(query.queryKey, (data) => data && found.reduceRight(addJob, data));
}

/**
 * Returns true while a fetch of the list on screen may return data older than `change`: it could bring back a deleted
 * job, or lack or hold an old version of a job that is not in the list.
 */
export function mayFetchUndo(client: QueryClient, change: RowChange<Job>): boolean {
  return client
    .getQueryCache()
    .findAll({ queryKey: jobKeys.histories, type: "active", fetchStatus: "fetching" })
    .some(
      ({ state }) =>
        change.type === "DELETE" || state.data === undefined || !jobsById(state.data as JobPages).has(change.row.id),
    );
}

function shownSearches(client: QueryClient): Query[] {
  return client
    .getQueryCache()
    .findAll({ queryKey: jobKeys.histories, type: "active" })
    .filter((query) => filterOf(query).search !== "");
}

function filterOf(query: Query): HistoryFilter {
  return query.queryKey[1] as HistoryFilter;
}
