import type { PreflightResponse } from "#contract/sources/preflight.ts";

/**
 * Fetches and probes the videos of an owner's open form, in order, at low priority, so that its job starts with them.
 * Runs in a worker, passed to the server where both start. A later call of the same owner replaces the list; downloads
 * still in it continue. Resolves when the list is done or `signal` aborts. Failures are ignored: the job fetches the
 * video again. Does nothing while the setting prefetch_sources is off.
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
