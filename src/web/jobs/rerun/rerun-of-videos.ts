import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { rerunRequest } from "./rerun-request.ts";

/** Returns a rerun of only these positions, without samples; of all videos if the job assembles them from clips. */
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
