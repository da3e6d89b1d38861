import { CallError } from "../api/functions/call-error.ts";

/** Job IDs are UUIDs; anything else needs no request. */
const JOB_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export function isJobId(text: string | undefined): text is string {
  return text !== undefined && JOB_ID.test(text);
}

/** HTTP 406: a requested single row does not exist. */
export function isMissingJob(error: unknown): boolean {
  return error instanceof CallError && error.status === 406;
}
