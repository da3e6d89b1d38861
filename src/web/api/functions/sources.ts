import type { PrefetchResponse, PreflightResponse } from "#contract/sources/preflight.ts";
import type { JobTableResponse } from "#contract/table/job-table.ts";
import { callFunction } from "./call-function.ts";

/** Returns what is known about up to 100 links. Throws a CallError; 404 from a server without this function. */
export function checkSources(links: readonly string[], signal: AbortSignal): Promise<PreflightResponse> {
  return callFunction("preflight", { links }, { signal });
}

/** Has the server fetch up to 100 videos of a form in advance, for a minute. Throws a CallError. */
export function prefetchSources(links: readonly string[], form: string): Promise<PrefetchResponse> {
  return callFunction("prefetch", { links, form });
}

/** Returns the text of a published sheet. Throws a CallError with what to do. */
export async function loadSheet(url: string): Promise<string> {
  const { csv } = await callFunction<JobTableResponse>("job-table", { url, dry_run: true });
  return csv ?? "";
}
