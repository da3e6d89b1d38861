import type { PrefetchResponse, PreflightResponse } from "#contract/sources/preflight.ts";
import type { TableEncoding } from "#contract/table/encoding/table-encodings.ts";
import type { JobTableResponse } from "#contract/table/job-table.ts";
import { callFunction } from "./call-function.ts";

/** Takes up to 100 links. Throws CallError: a 404 from servers without this function. */
export function checkSources(links: readonly string[], signal: AbortSignal): Promise<PreflightResponse> {
  return callFunction("preflight", { links }, { signal });
}

/** Asks the server to prefetch up to 100 videos for a minute. Throws CallError. */
export function prefetchSources(links: readonly string[], form: string): Promise<PrefetchResponse> {
  return callFunction("prefetch", { links, form });
}

/** Returns CSV. Throws CallError with what to do; its code is unknown_encoding if an `encoding` must be chosen. */
export async function loadSheet(
  { url, encoding }: { url: string; encoding: TableEncoding | null },
  signal: AbortSignal,
): Promise<string> {
  const { csv } = await callFunction<JobTableResponse>("job-table", { url, encoding, dry_run: true }, { signal });
  return csv ?? "";
}
