import type { CallFunction } from "../define-call.ts";
import { CHANGE_JOB_CALLS } from "./change-job-calls.ts";
import { createJobCall } from "./create-job-calls.ts";
import { READ_JOB_CALLS } from "./read-job-calls.ts";

/** Without an `action` in the query or body, POST creates a job, and GET reads the dashboard (SPEC section 7). */
export const JOBS_FUNCTION: CallFunction = {
  path: "jobs",
  summary: "Creates a job. With an action in the body or query, lists jobs or changes one.",
  scope: "jobs:write",
  unknown: "Unknown action for the function jobs.",
  query: "all",
  get: (query) => ({ action: "dashboard", ...query }),
  calls: [createJobCall, ...READ_JOB_CALLS, ...CHANGE_JOB_CALLS],
};
