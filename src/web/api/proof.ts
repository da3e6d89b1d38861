/** Calls about a job's samples. All throw CallError. */
import type { JobResponse } from "#contract/calls.ts";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { FeedbackResponse, ShareResponse } from "#contract/guests/guests.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { callFunction } from "./functions/call-function.ts";

export type Decision = "approve" | "stop";

/** Makes everything else, or ends the job with its samples. */
export async function decideProof(jobId: string, action: Decision): Promise<WholeJob> {
  return (await callFunction<JobResponse>("jobs", { action, jobId })).data;
}

/** Changes a job that awaits approval; its samples are made again where they no longer fit. */
export async function changeJob(jobId: string, settings: CreateJobRequest): Promise<WholeJob> {
  return (await callFunction<JobResponse>("jobs", { action: "change", jobId, settings })).data;
}

/** Returns the link with the path of its page, which is not returned again. */
export function createGuestLink(jobId: string, days: number, canApprove: boolean): Promise<ShareResponse> {
  return callFunction("jobs", { action: "share", jobId, days, can_approve: canApprove });
}

export function revokeGuestLink(jobId: string, linkId: string): Promise<ShareResponse> {
  return callFunction("jobs", { action: "share", jobId, revoke: linkId });
}

/** Returns the guest links, newest first, and the comments, oldest first. */
export async function readFeedback(jobId: string, signal?: AbortSignal): Promise<FeedbackResponse["data"]> {
  return (await callFunction<FeedbackResponse>("jobs", { action: "feedback", jobId }, { signal })).data;
}
