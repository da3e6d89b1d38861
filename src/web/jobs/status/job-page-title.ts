import { type Job, jobTitle } from "#contract/jobs/jobs.ts";
import { shownPercent } from "./job-progress.ts";

/** Leads with progress while running, for narrow tabs. */
export function jobPageTitle(job: Pick<Job, "id" | "job_name" | "status" | "progress">): string {
  const name = jobTitle(job);
  return job.status === "Processing" ? `${Math.round(shownPercent(job))}% · ${name}` : name;
}
