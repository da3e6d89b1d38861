import type { PreflightResponse } from "#contract/sources/preflight.ts";

/**
 * Checks links before a job starts. Returns after a few seconds at most: unfinished checks are "pending", continue for
 * a while and are collected by the next call. Throws ClipmillError "too_many" for an account with too many unfinished
 * checks, and "cancelled" on abort.
 */
export type Preflight = (
  links: readonly string[],
  caller: { accountId: string; signal: AbortSignal },
) => Promise<PreflightResponse>;
