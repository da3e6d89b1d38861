import type { PrefetchResponse, PreflightResponse } from "#contract/sources/preflight.ts";
import { callFunction } from "./call-function.ts";

/** Returns what is known about up to 100 links. Throws a CallError; 404 from a server without this function. */
export function checkSources(links: readonly string[], signal: AbortSignal): Promise<PreflightResponse> {
  return callFunction("preflight", { links }, { signal });
}

/** Has the server fetch up to 100 videos of a form in advance, for a minute. Throws a CallError. */
export function prefetchSources(links: readonly string[], form: string): Promise<PrefetchResponse> {
  return callFunction("prefetch", { links, form });
}
