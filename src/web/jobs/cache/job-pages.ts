/** The loaded pages of the job history, as pure changes. What does not change keeps its identity, so that rows are not drawn again. */
import type { InfiniteData } from "@tanstack/react-query";
import type { ListJobsResponse } from "#contract/calls.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { mergeRow } from "./newer-row.ts";

export const PAGE_SIZE = 10;

type JobPage = ListJobsResponse & {
  /** It came with as many jobs as were asked for: there may be more behind it. */
  isFull: boolean;
  /** How many jobs left the list while it was the last page: those behind it have moved up by as many. */
  removed: number;
};

export type JobPages = InfiniteData<JobPage, number>;

/** A page as it came from the server. */
export function toJobPage(answer: ListJobsResponse): JobPage {
  return { ...answer, isFull: answer.jobs.length >= PAGE_SIZE, removed: 0 };
}

const loaded = new WeakMap<JobPage[], Map<string, Job>>();

/** All loaded jobs by id, in their order. Pages may overlap when jobs came in between them; each job is listed once. */
export function jobsById({ pages }: Pick<JobPages, "pages">): ReadonlyMap<string, Job> {
  const known = loaded.get(pages);
  if (known) return known;
  const byId = new Map<string, Job>();
  for (const page of pages) for (const job of page.jobs) if (!byId.has(job.id)) byId.set(job.id, job);
  loaded.set(pages, byId);
  return byId;
}

/** All loaded jobs in their order. */
export function jobsOf(data: Pick<JobPages, "pages">): Job[] {
  return [...jobsById(data).values()];
}

/**
 * The number of the page after `lastNumber`, or undefined at the end: more exist while the last was full and less than
 * all is loaded. Pages that deletions have pulled forward are read once more.
 */
export function nextPageOf(pages: JobPage[], lastNumber: number): number | undefined {
  const last = pages.at(-1);
  if (!last?.isFull || jobsById({ pages }).size >= last.total) return undefined;
  return Math.max(1, lastNumber + 1 - Math.ceil(last.removed / PAGE_SIZE));
}

/** Puts a job on top, unless it is in the list already: then it takes the place of its older version. */
export function addJob(data: JobPages, job: Job): JobPages {
  if (jobsById(data).has(job.id)) return replaceJob(data, job);
  return {
    ...data,
    pages: data.pages.map((page, index) => ({
      ...page,
      jobs: index === 0 ? [job, ...page.jobs] : page.jobs,
      total: page.total + 1,
    })),
  };
}

/** Merges a job into its card; a job that is not in the list changes nothing. */
export function replaceJob(data: JobPages, job: Job): JobPages {
  return changeJob(data, job.id, (known) => mergeRow(job, known));
}

/** Changes one job of the list. */
export function changeJob(data: JobPages, id: string, change: (job: Job) => Job): JobPages {
  if (!jobsById(data).has(id)) return data;
  const pages = data.pages.map((page) =>
    page.jobs.some((job) => job.id === id)
      ? { ...page, jobs: page.jobs.map((job) => (job.id === id ? change(job) : job)) }
      : page,
  );
  return { ...data, pages };
}

/** Takes a job out of the list. */
export function removeJob(data: JobPages, id: string): JobPages {
  if (!jobsById(data).has(id)) return data;
  const lastIndex = data.pages.length - 1;
  return {
    ...data,
    pages: data.pages.map((page, index) => ({
      ...page,
      jobs: page.jobs.filter((job) => job.id !== id),
      total: Math.max(0, page.total - 1),
      removed: index === lastIndex ? page.removed + 1 : page.removed,
    })),
  };
}
