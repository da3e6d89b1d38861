/** The loaded pages of the job history, as pure changes. What does not change keeps its identity, so that rows are not drawn again. */
import type { InfiniteData } from "@tanstack/react-query";
import type { ListJobsResponse } from "#contract/calls.ts";
import type { Job } from "#contract/jobs.ts";

export const PAGE_SIZE = 10;

export type JobPages = InfiniteData<ListJobsResponse, number>;

/** All loaded jobs in their order. Pages may overlap when jobs came in between them; each job is listed once. */
export function jobsOf({ pages }: Pick<JobPages, "pages">): Job[] {
  const byId = new Map<string, Job>();
  for (const page of pages) for (const job of page.jobs) if (!byId.has(job.id)) byId.set(job.id, job);
  return [...byId.values()];
}

/** The number of the next page, or undefined at the end: more exist while the last was full and less than all is loaded. */
export function nextPageOf(pages: ListJobsResponse[]): number | undefined {
  const last = pages.at(-1);
  if (!last || last.jobs.length < PAGE_SIZE) return undefined;
  const loaded = new Set(pages.flatMap((page) => page.jobs.map((job) => job.id)));
  return loaded.size < last.total ? pages.length + 1 : undefined;
}

/** Puts a job on top, unless it is in the list already: then it takes the place of its older version. */
export function addJob(data: JobPages, job: Job): JobPages {
  if (data.pages.some((page) => page.jobs.some(({ id }) => id === job.id))) return replaceJob(data, job);
  return {
    ...data,
    pages: data.pages.map(({ jobs, total }, index) => ({
      jobs: index === 0 ? [job, ...jobs] : jobs,
      total: total + 1,
    })),
  };
}

/** Merges a job into its card; a job that is not in the list changes nothing. */
export function replaceJob(data: JobPages, job: Job): JobPages {
  return changeJob(data, job.id, () => job);
}

/** Changes one job of the list. */
export function changeJob(data: JobPages, id: string, change: (job: Job) => Job): JobPages {
  if (!data.pages.some((page) => page.jobs.some((job) => job.id === id))) return data;
  const pages = data.pages.map((page) =>
    page.jobs.some((job) => job.id === id)
      ? { ...page, jobs: page.jobs.map((job) => (job.id === id ? change(job) : job)) }
      : page,
  );
  return { ...data, pages };
}

/** Takes a job out of the list. */
export function removeJob(data: JobPages, id: string): JobPages {
  if (!data.pages.some((page) => page.jobs.some((job) => job.id === id))) return data;
  return {
    ...data,
    pages: data.pages.map(({ jobs, total }) => ({
      jobs: jobs.filter((job) => job.id !== id),
      total: Math.max(0, total - 1),
    })),
  };
}
