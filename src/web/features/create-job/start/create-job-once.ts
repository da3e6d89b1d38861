import type { CreateJobResponse } from "#contract/calls.ts";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { callFunction } from "../../../api/functions/call-function.ts";
import { randomId } from "./random-id.ts";

/** Keeps the idempotency key of a request that got no response, so that resending it returns the job it created. */
export function jobCreator(): (request: CreateJobRequest) => Promise<Job> {
  let unconfirmed: { request: string; key: string } | null = null;
  return async (request) => {
    const text = JSON.stringify(request);
    if (unconfirmed?.request !== text) unconfirmed = { request: text, key: randomId() };
    const body = { ...request, idempotency_key: unconfirmed.key };
    const { data } = await callFunction<CreateJobResponse>("jobs", body);
    unconfirmed = null;
    return data;
  };
}
