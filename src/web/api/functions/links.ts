/** All calls throw CallError. */
import type { JobLinks, MakeLinksResponse } from "#contract/links/job-links.ts";
import { callFunction } from "./call-function.ts";

/** Returns the links of a job's files with their clicks. */
export function readJobLinks(jobId: string, signal: AbortSignal): Promise<JobLinks> {
  return callFunction("jobs", { action: "links", jobId }, { signal });
}

/** Makes the links that a completed job's files lack. Needs no repetition: a second call makes none. */
export function makeJobLinks(jobId: string): Promise<MakeLinksResponse> {
  return callFunction("jobs", { action: "make-links", jobId });
}
