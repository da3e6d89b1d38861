import type { PreflightResponse } from "#contract/sources/preflight.ts";

/**
 * Fetches and probes the videos of an owner's open form, in order, at low priority, so that its job starts with them:
 * a worker's, passed to the server where both start. A later call of the same owner replaces the list; the download of
 * a video still in it continues. Resolves when the list is done or `signal` aborts, without saying which links failed:
 * a video that could not be fetched in advance is fetched by its job. Does nothing while the setting prefetch_sources
 * is off.
 */
export type PrefetchSources = (links: readonly string[], ownerId: string, signal: AbortSignal) => Promise<void>;

/**
 * Checks links before a job starts. Returns after a few seconds at most: unfinished checks are "pending", continue for
 * a while and are collected by the next call. Throws ClipmillError "too_many" for an account with too many unfinished
 * checks, and "cancelled" on abort.
 */
export type Preflight = (
  links: readonly string[],
  caller: { accountId: string; signal: AbortSignal },
) => Promise<PreflightResponse>;
