/** The job history lists in the query cache, one per filter shown so far. */
import type { Query, QueryClient } from "@tanstack/react-query";
import { matchesJobFilter } from "#contract/jobs/job-filter.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { listJobs } from "../../api/jobs.ts";
import { toListFilter, type HistoryFilter } from "./history-filter.ts";
import { jobKeys } from "./job-keys.ts";
import { addJob, jobsById, type JobPages } from "./job-pages.ts";
import { newerOf } from "./newer-row.ts";

/** The most jobs the server checks in one call. */
const MOST_ASKED = 100;

/** Changes every list. */
export function changeHistories(client: QueryClient, change: (data: JobPages) => JobPages): void {
  client.setQueriesData<JobPages>({ queryKey: jobKeys.histories }, (data) => data && change(data));
}

/** Marks lists that are not on screen as stale: a job may have joined or left them. */
export function markHiddenStale(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: jobKeys.histories, type: "inactive", refetchType: "none" });
}

/** Puts a new job on top of every list without a search whose filter it matches. */
export function addToHistories(client: QueryClient, job: Job): void {
  for (const query of client.getQueryCache().findAll({ queryKey: jobKeys.histories })) {
    const filter = filterOf(query);
    if (filter.search !== "" || !matchesJobFilter(job, filter)) continue;
    client.setQueryData<JobPages>(query.queryKey, (data) => data && addJob(data, job));
  }
}

/** True while a list with a search is on screen. */
export function isSearchShown(client: QueryClient): boolean {
  return shownSearches(client).length > 0;
}

/**
 * Puts those of the new jobs on top of the search on screen that the server finds by it: only the server sees file names. Jobs
 * that leave the map before the answer comes are left out; where the map has a newer row, that is the one added.
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
  const answer = ids.length <= MOST_ASKED ? await listJobs(request).catch(() => null) : null;
  if (!answer) return client.invalidateQueries({ queryKey: query.queryKey, exact: true });
  const found = answer.jobs.filter((job) => jobs.has(job.id)).map((job) => newerOf(job, jobs.get(job.id)));
  client.setQueryData<JobPages>(query.queryKey, (data) => data && found.reduceRight(addJob, data));
}

/** True when the list on screen is being read and does not hold the job: what is read may be older than the job is now. */
export function isReadingWithout(client: QueryClient, jobId: string): boolean {
  return client
    .getQueryCache()
    .findAll({ queryKey: jobKeys.histories, type: "active", fetchStatus: "fetching" })
    .some(({ state }) => state.data === undefined || !jobsById(state.data as JobPages).has(jobId));
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
