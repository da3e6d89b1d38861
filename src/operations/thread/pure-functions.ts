import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { readTableRows } from "../jobs/table/read-table-rows.ts";

/** Inputs and results are copied between threads, so they contain only data. */
export const PURE_FUNCTIONS = { parseCreateJob, readTableRows };

export type PureFunctions = typeof PURE_FUNCTIONS;
