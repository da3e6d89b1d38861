/** All calls throw CallError. */
import type { ApprovedResponse, JobOutputsResponse, ReviewResponse, SourceLinkResponse } from "#contract/calls.ts";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { Review } from "#contract/jobs/outputs/review.ts";
import type { JobLinks, MakeLinksResponse } from "#contract/links/job-links.ts";
import { callFunction } from "./call-function.ts";

export async function readOutputsInOrder(jobId: string): Promise<JobOutput[]> {
  const { data } = await callFunction<JobOutputsResponse>("jobs", { action: "outputs", jobId });
  return data;
}

/** Omits files that were deleted or are being remade. */
export async function reviewOutputs(reviews: readonly Review[]): Promise<JobOutput[]> {
  const { data } = await callFunction<ReviewResponse>("jobs", { action: "review", reviews });
  return data;
}

/** Returns a fresh link to the zip. */
export function readApproved(jobId: string): Promise<ApprovedResponse> {
  return callFunction("jobs", { action: "approved", jobId });
}

export async function readSourceLink(videoId: string): Promise<string> {
  const { url } = await callFunction<SourceLinkResponse>("jobs", { action: "source", videoId });
  return url;
}

export function readJobLinks(jobId: string, signal: AbortSignal): Promise<JobLinks> {
  return callFunction("jobs", { action: "links", jobId }, { signal });
}

/** Creates missing links for a completed job's files. Idempotent. */
export function makeJobLinks(jobId: string): Promise<MakeLinksResponse> {
  return callFunction("jobs", { action: "make-links", jobId });
}
