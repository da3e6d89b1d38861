/** All calls throw CallError. */
import type { JobResponse } from "#contract/calls.ts";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { FeedbackResponse, ShareResponse } from "#contract/guests/guests.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { callFunction } from "./functions/call-function.ts";

/**
 * "approve" renders the rest of the job, unless its samples are no longer those shown; "stop" ends it with its samples.
 */
export type Decision = { action: "approve"; samples: string[] } | { action: "stop" };

export async function decideProof(jobId: string, decision: Decision): Promise<WholeJob> {
  return (await callFunction<JobResponse>("jobs", { ...decision, jobId })).data;
}

/** The job must await approval. Samples that no longer fit are remade. */
export async function changeJob(jobId: string, settings: CreateJobRequest): Promise<WholeJob> {
  return (await callFunction<JobResponse>("jobs", { action: "change", jobId, settings })).data;
}

/** Returns the page's path, which is not returned again. */
export function createGuestLink(jobId: string, days: number, canApprove: boolean): Promise<ShareResponse> {
  return callFunction("jobs", { action: "share", jobId, days, can_approve: canApprove });
}

export function revokeGuestLink(jobId: string, linkId: string): Promise<ShareResponse> {
  return callFunction("jobs", { action: "share", jobId, revoke: linkId });
}

/** Returns links newest first, comments oldest first. */
export async function readFeedback(jobId: string, signal?: AbortSignal): Promise<FeedbackResponse["data"]> {
  return (await callFunction<FeedbackResponse>("jobs", { action: "feedback", jobId }, { signal })).data;
}
