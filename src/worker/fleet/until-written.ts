import { setTimeout as delay } from "node:timers/promises";
import { ClipmillError } from "#contract/errors.ts";
import { isDatabaseFull } from "#ground/disk-space.ts";

const AGAIN_MS = 250;

/**
 * Writes to the database, again and again while it cannot be reached or is full: what was made is not thrown away because a
 * database is restarted. It is tried once whatever the signal says: a file that is stored by then would belong to nobody. Then
 * it ends with the signal's reason at the latest when the claim does. `write` must do no harm when its answer was lost and it is
 * done once more, nor when it comes too late.
 */
export async function untilWritten<Result>(signal: AbortSignal, write: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await delay(AGAIN_MS, undefined, { signal });
    }
  }
}

/** Whether the database could not be reached, or has no room for anything new. */
export function isUnavailable(error: unknown): boolean {
  return isDatabaseFull(error) || (error instanceof ClipmillError && error.code === "unavailable");
}
