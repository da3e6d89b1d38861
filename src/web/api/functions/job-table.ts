import type { JobTableResponse } from "#contract/table/job-table.ts";
import { callFunction } from "./call-function.ts";

/** Returns the text of a published sheet. Throws a CallError with what to do. */
export async function loadSheet(url: string): Promise<string> {
  const { csv } = await callFunction<JobTableResponse>("job-table", { url, dry_run: true });
  return csv ?? "";
}
