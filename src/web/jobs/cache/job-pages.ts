/** Pure. Unchanged parts keep their identity, so that their rows do not rerender. */
import type { InfiniteData } from "@tanstack/react-query";
import type { ListJobsResponse } from "#contract/calls.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { newerOf } from "./newer-row.ts";

export const PAGE_SIZE = 10;

type JobPage = ListJobsResponse & {
  /** Full pages may have a successor. */
  isFull: boolean;
  /** Removals while this was the last page; later jobs moved up by as many. */
  removed: number;
};

export type JobPages = InfiniteData<JobPage, number>;

/** A page is full from `PAGE_SIZE` jobs on. */
export function toJobPage(response: ListJobsResponse): JobPage {
  return { ...response, isFull: response.jobs.length >= PAGE_SIZE, removed: 0 };
}

const mapsOfPages = new WeakMap<JobPage[], Map<string, Job>>();

/** Lists in order. Pages overlap when jobs were added in between; each job appears once. */
export function jobsById({ pages }: Pick<JobPages, "pages">): ReadonlyMap<string, Job> {
  const known = mapsOfPages.get(pages);
  if (known) return known;
  const byId = new Map<string, Job>();
  for (const page of pages) for (const job of page.jobs) if (!byId.has(job.id)) byId.set(job.id, job);
  mapsOfPages.set(pages, byId);
  return byId;
}

export function jobsOf(data: Pick<JobPages, "pages">): Job[] {
  return [...jobsById(data).values()];
}

/**
 * Returns undefined at the end: the last page is not full, or all jobs are loaded. Rereads pages shifted by deletions.
 */
export function nextPageOf(pages: JobPage[], lastNumber: number): number | undefined {
  const last = pages.at(-1);
  if (!last?.isFull || jobsById({ pages }).size >= last.total) return undefined;
  return Math.max(1, lastNumber + 1 - Math.ceil(last.removed / PAGE_SIZE));
}

/**
 * Puts the job in its place, newest first, or updates its card. Returns the same data if its place is on a page not
 * loaded yet.
 */
export function addJob(data: JobPages, job: Job): JobPages {
  const loaded = jobsById(data);
  if (loaded.has(job.id)) return replaceJob(data, job);
  const next = [...loaded.values()].find((other) => isNewer(job, other));
  if (!next && nextPageOf(data.pages, data.pageParams.at(-1) ?? 1) !== undefined) return data;
  const at = next ? data.pages.findIndex((page) => page.jobs.includes(next)) : data.pages.length - 1;
  return {
    ...data,
    pages: data.pages.map((page, index) => ({
      ...page,
      jobs: index === at ? insertBefore(page.jobs, next, job) : page.jobs,
      total: page.total + 1,
    })),
  };
}

/** In the server's order. */
function isNewer(job: Job, other: Job): boolean {
  const ageMs = Date.parse(job.created_at) - Date.parse(other.created_at);
  return ageMs === 0 ? job.id > other.id : ageMs > 0;
}

function insertBefore(jobs: readonly Job[], next: Job | undefined, job: Job): Job[] {
  const at = next ? jobs.indexOf(next) : jobs.length;
  return jobs.toSpliced(at, 0, job);
}

/** Ignores rows older than the cached one. */
export function replaceJob(data: JobPages, job: Job): JobPages {
  return changeJob(data, job.id, (known) => newerOf(job, known));
}

/** The server's count. Returns the same data if it has not changed. */
export function setTotal(data: JobPages, total: number): JobPages {
  if (data.pages.every((page) => page.total === total)) return data;
  return { ...data, pages: data.pages.map((page) => ({ ...page, total })) };
}

/** Changes every page with the job; returns the same data if there is none. */
export function changeJob(data: JobPages, jobId: string, change: (job: Job) => Job): JobPages {
  if (!jobsById(data).has(jobId)) return data;
  const pages = data.pages.map((page) =>
    page.jobs.some((job) => job.id === jobId)
      ? { ...page, jobs: page.jobs.map((job) => (job.id === jobId ? change(job) : job)) }
      : page,
  );
  return { ...data, pages };
}

/**
 * Reduces every page's total and counts the removal on the last page, for `nextPageOf`. Returns the same data without
 * the job.
 */
export function removeJob(data: JobPages, jobId: string): JobPages {
  if (!jobsById(data).has(jobId)) return data;
  const lastIndex = data.pages.length - 1;
  return {
    ...data,
    pages: data.pages.map((page, index) => ({
      ...page,
      jobs: page.jobs.filter((job) => job.id !== jobId),
      total: Math.max(0, page.total - 1),
      removed: index === lastIndex ? page.removed + 1 : page.removed,
    })),
  };
}
