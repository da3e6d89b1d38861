import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import { JOB_LIMITS, type WholeJob } from "#contract/jobs/jobs.ts";
import { rerunSettings } from "#contract/job-settings/setting-values.ts";

const SUFFIX = " (Rerun)";
const DEFAULT_NAME = "Rerun Job";

/** Marks the name as a rerun. */
export function rerunRequest(job: WholeJob): CreateJobRequest {
  return { ...rerunSettings(job), job_name: rerunName(job.job_name) };
}

/** Only of the videos at these positions, without samples; of all if the job assembles them from clips. */
export function rerunOfVideos(job: WholeJob, positions: readonly number[]): CreateJobRequest {
  const request = rerunRequest(job);
  if (job.slots.length > 0) return request;
  const kept = new Set(positions);
  const isKept = (_: unknown, position: number) => kept.has(position);
  return {
    ...request,
    input_videos: job.input_videos.filter(isKept),
    rows: (job.rows ?? []).filter(isKept),
    proof_count: 0,
  };
}

function rerunName(name: string): string {
  if (name === "") return DEFAULT_NAME;
  return `${name.slice(0, JOB_LIMITS.nameCharacters - SUFFIX.length)}${SUFFIX}`;
}
