import type { Query, QueryClient } from "@tanstack/react-query";
import { matchesJobFilter } from "#contract/jobs/job-filter.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { listJobs } from "../../api/jobs.ts";
import { toListFilter, type HistoryFilter } from "./history-filter.ts";
import { jobKeys } from "./job-keys.ts";
import { addJob, jobsById, removeJob, replaceJob, setTotal, type JobPages } from "./job-pages.ts";
import { newerOf } from "./newer-row.ts";

/** The server's limit per check. */
const MAX_IDS = 100;

/** Jobs may have joined or left lists off screen. */
export function markHiddenStale(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: jobKeys.histories, type: "inactive", refetchType: "none" });
}

/**
 * Puts the job in its place in all cached lists whose filter it matches, and removes it from the others. A search gets
 * new jobs from the server (`askForMatches`).
 */
export function putInHistories(client: QueryClient, job: Job): void {
  changeLists(client, (data, filter) => {
    const newest = newerOf(job, jobsById(data).get(job.id));
    if (!matchesJobFilter(newest, filter)) return removeJob(data, job.id);
    return filter.search === "" ? addJob(data, newest) : replaceJob(data, newest);
  });
}

export function changeInHistories(client: QueryClient, jobId: string, change: (job: Job) => Job): void {
  changeLists(client, (data, filter) => {
    const known = jobsById(data).get(jobId);
    if (!known) return data;
    const changed = change(known);
    return matchesJobFilter(changed, filter) ? replaceJob(data, changed) : removeJob(data, jobId);
  });
}

export function removeFromHistories(client: QueryClient, jobId: string): void {
  changeLists(client, (data) => removeJob(data, jobId));
}

function changeLists(client: QueryClient, change: (data: JobPages, filter: HistoryFilter) => JobPages): void {
  for (const query of client.getQueryCache().findAll({ queryKey: jobKeys.histories })) {
    client.setQueryData<JobPages>(query.queryKey, (data) => data && change(data, filterOf(query)));
  }
}

/** The searches on screen, as cached. */
export function shownSearches(client: QueryClient): JobPages[] {
  return shownLists(client)
    .filter((query) => filterOf(query).search !== "")
    .map(({ state }) => state.data as JobPages)
    .filter((data) => data !== undefined);
}

/**
 * Asks the server which of the jobs match the searches on screen, as only it can match captions and file names. Skips
 * jobs removed from the map meanwhile; prefers the map's newer rows.
 */
export async function askForMatches(client: QueryClient, jobs: ReadonlyMap<string, Job>): Promise<void> {
  const ids = [...jobs.keys()];
  const searches = shownLists(client).filter((query) => filterOf(query).search !== "");
  await Promise.all(searches.map((query) => askFor(client, query, ids, jobs)));
}

async function askFor(client: QueryClient, query: Query, ids: string[], jobs: ReadonlyMap<string, Job>): Promise<void> {
  const filter = filterOf(query);
  const request = { page: "1", limit: String(ids.length), ...toListFilter(filter), ids };
  const response = ids.length <= MAX_IDS ? await listJobs(request).catch(() => null) : null;
  if (!response) return client.invalidateQueries({ queryKey: query.queryKey, exact: true });
  const found = new Map(response.jobs.map((job) => [job.id, newerOf(job, jobs.get(job.id))]));
  client.setQueryData<JobPages>(query.queryKey, (cached) => {
    if (!cached) return cached;
    return ids.reduce((data, id) => {
      const job = found.get(id);
      if (!job) return removeJob(data, id);
      return jobs.has(id) && matchesJobFilter(job, filter) ? addJob(data, job) : data;
    }, cached);
  });
}

/** Takes the server's counts for the lists on screen: jobs that are not loaded may have joined or left them. */
export async function refreshTotals(client: QueryClient): Promise<void> {
  await Promise.all(
    shownLists(client).map(async (query) => {
      const response = await listJobs({ page: "1", limit: "1", ...toListFilter(filterOf(query)) }).catch(() => null);
      if (!response) return;
      client.setQueryData<JobPages>(query.queryKey, (data) => data && setTotal(data, response.total));
    }),
  );
}

export function shownLists(client: QueryClient): Query[] {
  return client.getQueryCache().findAll({ queryKey: jobKeys.histories, type: "active" });
}

function filterOf(query: Query): HistoryFilter {
  return query.queryKey[1] as HistoryFilter;
}
