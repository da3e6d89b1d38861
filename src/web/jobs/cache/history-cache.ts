/** The job history lists in the query cache, one per filter shown. */
import type { Query, QueryClient } from "@tanstack/react-query";
import { matchesJobFilter } from "#contract/jobs/job-filter.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { listJobs } from "../../api/jobs.ts";
import type { RowChange } from "../../api/connection/realtime.ts";
import { toListFilter, type HistoryFilter } from "./history-filter.ts";
import { jobKeys } from "./job-keys.ts";
import { addJob, jobsById, type JobPages } from "./job-pages.ts";
import { newerOf } from "./newer-row.ts";

/** The server's limit of jobs per check. */
const MAX_IDS = 100;

/** Applies `change` to every loaded list, on screen or not. */
export function changeHistories(client: QueryClient, change: (data: JobPages) => JobPages): void {
  client.setQueriesData<JobPages>({ queryKey: jobKeys.histories }, (data) => data && change(data));
}

/** Marks lists off screen as stale: jobs may have joined or left them. */
export function markHiddenStale(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: jobKeys.histories, type: "inactive", refetchType: "none" });
}

/** Adds a new job to the top of matching lists, except searches. */
export function addToHistories(client: QueryClient, job: Job): void {
  for (const query of client.getQueryCache().findAll({ queryKey: jobKeys.histories })) {
    const filter = filterOf(query);
    if (filter.search !== "" || !matchesJobFilter(job, filter)) continue;
    client.setQueryData<JobPages>(query.queryKey, (data) => data && addJob(data, job));
  }
}

/** Returns true while a list on screen has a search; only the server can match new jobs to it. */
export function isSearchShown(client: QueryClient): boolean {
  return shownSearches(client).length > 0;
}

/**
 * Adds new jobs that match the search on screen. Asks the server, because only it can match file names. Skips jobs
 * removed from the map meanwhile; prefers the map's newer rows.
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
 * Returns true while the list on screen is being fetched and the answer, if read before the change, would undo it: it
 * may bring back a deleted job, or lack or hold an older version of a job that the list lacks now.
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
