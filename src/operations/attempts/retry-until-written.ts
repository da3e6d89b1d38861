import { ClipmillError } from "#contract/errors.ts";
import { isDatabaseFull } from "#ground/disk-space.ts";
import { retry } from "#ground/repeat.ts";

const PAUSES = { firstMs: 250, mostMs: 250 };

/**
 * Retries while the database is unreachable or full. Tries once even if the signal has aborted, because a file may
 * already be stored; then rejects with the signal's reason. `write` must be idempotent and harmless when late.
 */
export async function retryUntilWritten<Result>(signal: AbortSignal, write: () => Promise<Result>): Promise<Result> {
  return await retry(write, {
    ...PAUSES,
    signal,
    onError: (error) => {
      if (!isUnavailable(error)) throw error;
    },
  });
}

export function isUnavailable(error: unknown): boolean {
  return isDatabaseFull(error) || (error instanceof ClipmillError && error.code === "unavailable");
}
