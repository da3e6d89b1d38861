import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import { JOB_LIMITS, type WholeJob } from "#contract/jobs/jobs.ts";
import { rerunSettings } from "#contract/job-settings/setting-values.ts";

const SUFFIX = " (Rerun)";
const DEFAULT_NAME = "Rerun Job";

/** Marks the name as a rerun. */
export function rerunRequest(job: WholeJob): CreateJobRequest {
  return { ...rerunSettings(job), job_name: rerunName(job.job_name) };
}

function rerunName(name: string): string {
  if (name === "") return DEFAULT_NAME;
  return `${name.slice(0, JOB_LIMITS.nameCharacters - SUFFIX.length)}${SUFFIX}`;
}
