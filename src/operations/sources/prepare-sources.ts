import type { PreflightResponse } from "#contract/sources/preflight.ts";

/**
 * Fetches and probes the videos of an owner's open form, in order and at low priority, so that its job starts with
 * them. A worker's function, passed to the server where both start. A later call of the owner replaces the list;
 * downloads still in it continue. Resolves when the list is done or `signal` aborts. Ignores failures: the job fetches
 * again. Does nothing while prefetch_sources is off.
 */
export type PrefetchSources = (links: readonly string[], ownerId: string, signal: AbortSignal) => Promise<void>;

/**
 * Checks links before a job starts. Returns within seconds: unfinished checks are "pending", continue for a while and
 * are collected by the next call. Throws ClipmillError "too_many" for an account with too many of them, "cancelled" on
 * abort.
 */
export type Preflight = (
  links: readonly string[],
  caller: { accountId: string; signal: AbortSignal },
) => Promise<PreflightResponse>;
