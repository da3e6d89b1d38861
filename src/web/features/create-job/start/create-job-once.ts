import type { CreateJobResponse } from "#contract/calls.ts";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { callFunction } from "../../../api/functions/call-function.ts";
import { randomId } from "./random-id.ts";

/** Keeps the idempotency key of a request that got no response, so that resending it returns the job it created. */
export function jobCreator(): (request: CreateJobRequest) => Promise<Job> {
  let unanswered: { request: string; key: string } | null = null;
  return async (request) => {
    const text = JSON.stringify(request);
    if (unanswered?.request !== text) unanswered = { request: text, key: randomId() };
    const body = { ...request, idempotency_key: unanswered.key };
    const { data } = await callFunction<CreateJobResponse>("jobs", body);
    unanswered = null;
    return data;
  };
}
