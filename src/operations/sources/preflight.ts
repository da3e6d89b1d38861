import type { PreflightResponse } from "#contract/sources/preflight.ts";

/**
 * Checks links before a job starts. Returns within a few seconds: unfinished checks are "pending" and continue for a
 * while, for the next call. Throws ClipmillError "too_many" for an account with too many unfinished checks, and
 * "cancelled" on abort.
 */
export type Preflight = (
  links: readonly string[],
  caller: { accountId: string; signal: AbortSignal },
) => Promise<PreflightResponse>;
