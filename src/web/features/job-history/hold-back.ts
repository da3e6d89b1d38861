import type { Job } from "#contract/jobs.ts";

/** The jobs to show while those made after `since` wait, and how many wait. Null holds nothing back. */
export function holdBack(jobs: readonly Job[], since: string | null): { shown: readonly Job[]; waiting: number } {
  if (since === null) return { shown: jobs, waiting: 0 };
  const firstShown = jobs.findIndex((job) => Date.parse(job.created_at) <= Date.parse(since));
  const waiting = firstShown === -1 ? jobs.length : firstShown;
  return { shown: waiting === 0 ? jobs : jobs.slice(waiting), waiting };
}
