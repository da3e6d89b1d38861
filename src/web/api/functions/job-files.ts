/** The files of a job: their order, review and links. All calls throw CallError. */
import type { ApprovedResponse, JobOutputsResponse, ReviewResponse, SourceLinkResponse } from "#contract/calls.ts";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { Review } from "#contract/jobs/outputs/review.ts";
import type { JobLinks, MakeLinksResponse } from "#contract/links/job-links.ts";
import { callFunction } from "./call-function.ts";

/** Returns the files in job order. */
export async function readOutputsInOrder(jobId: string): Promise<JobOutput[]> {
  const { data } = await callFunction<JobOutputsResponse>("jobs", { action: "outputs", jobId });
  return data;
}

/** Returns the reviewed files, without those that are gone or being made again. */
export async function reviewOutputs(reviews: readonly Review[]): Promise<JobOutput[]> {
  const { data } = await callFunction<ReviewResponse>("jobs", { action: "review", reviews });
  return data;
}

/** Returns a fresh link to a zip of the approved files. */
export function readApproved(jobId: string): Promise<ApprovedResponse> {
  return callFunction("jobs", { action: "approved", jobId });
}

/** Returns a signed link that plays a video's source. */
export async function readSourceLink(videoId: string): Promise<string> {
  const { url } = await callFunction<SourceLinkResponse>("jobs", { action: "source", videoId });
  return url;
}

/** Returns the links of a job's files with their clicks. */
export function readJobLinks(jobId: string, signal: AbortSignal): Promise<JobLinks> {
  return callFunction("jobs", { action: "links", jobId }, { signal });
}

/** Makes the links that a completed job's files lack. Needs no repetition: a second call makes none. */
export function makeJobLinks(jobId: string): Promise<MakeLinksResponse> {
  return callFunction("jobs", { action: "make-links", jobId });
}
