import type { ListJobsResponse } from "#contract/calls.ts";
import { listJobs } from "../../../api/jobs.ts";
import { toListFilter, type HistoryFilter } from "../../../jobs/cache/history-filter.ts";
import { PAGE_SIZE } from "../../../jobs/cache/job-pages.ts";

/** The server returns up to 100 jobs per call. */
const PAGES_PER_BATCH = 10;

type Batches = Map<number, Promise<ListJobsResponse>>;
const batchesOfRead = new WeakMap<AbortSignal, Batches>();

/** Refetches load ten pages per call, or 1,000 pages would need 1,000 calls; `signal` identifies the refetch. */
export async function readPage(
  page: number,
  filter: HistoryFilter,
  { loadedPages, signal }: { loadedPages: number; signal: AbortSignal },
): Promise<ListJobsResponse> {
  if (loadedPages < 2 || page > loadedPages) return listJobs(toRequest(page, PAGE_SIZE, filter), signal);
  const batches = batchesOfRead.get(signal) ?? new Map<number, Promise<ListJobsResponse>>();
  batchesOfRead.set(signal, batches);
  const number = Math.ceil(page / PAGES_PER_BATCH);
  const batch = batches.get(number) ?? listJobs(toRequest(number, PAGE_SIZE * PAGES_PER_BATCH, filter), signal);
  batches.set(number, batch);
  const { jobs, total } = await batch;
  const start = ((page - 1) % PAGES_PER_BATCH) * PAGE_SIZE;
  return { jobs: jobs.slice(start, start + PAGE_SIZE), total };
}

function toRequest(page: number, limit: number, filter: HistoryFilter) {
  return { page: String(page), limit: String(limit), ...toListFilter(filter) };
}
