import type { QueryClient } from "@tanstack/react-query";
import { type Job, LONG_LISTS } from "#contract/jobs/jobs.ts";
import { CallError } from "../api/functions/call-error.ts";
import { readJob, readJobColumns } from "../api/jobs.ts";
import { jobKeys } from "./cache/job-keys.ts";
import { newerOf } from "./cache/newer-row.ts";

const BAD_REQUEST = 400;

/** Reads the long lists, which can take megabytes, only if they are not cached. */
export async function readWholeJob(client: QueryClient, id: string): Promise<Job> {
  const known = () => client.getQueryData<Job>(jobKeys.job(id));
  return newerOf(await readMissing(id, known()), known());
}

async function readMissing(id: string, known: Job | undefined): Promise<Job> {
  if (!known || LONG_LISTS.some((list) => known[list] === undefined)) return readJob(id);
  const columns = Object.keys(known).filter((column) => !LONG_LISTS.some((list) => list === column));
  try {
    return await readJobColumns(id, columns as (keyof Job)[]);
  } catch (error) {
    // A server of another version may lack a column.
    if (error instanceof CallError && error.status === BAD_REQUEST) return readJob(id);
    throw error;
  }
}
