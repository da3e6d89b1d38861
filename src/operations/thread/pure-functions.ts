import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { readTableRows } from "../jobs/table/read-table-rows.ts";
import { parseJson } from "./parse-json.ts";

/** Inputs and results are copied between threads, so they contain only data. */
export const PURE_FUNCTIONS = { parseCreateJob, parseJson, readTableRows };

export type PureFunctions = typeof PURE_FUNCTIONS;
