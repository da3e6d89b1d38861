/**
 * A hash occupies a thread of Node's pool for about 50 ms: floods of sign-ins would block files, name lookups and
 * streams.
 */
import { createSlots } from "#ground/slots.ts";
import { AuthError } from "../auth-error.ts";

/** Two of the pool's four threads. */
const MAX_CONCURRENT = 2;
/** A few seconds of work; later clients would give up. */
const MAX_WAITING = 100;
const RETRY_SECONDS = 10;

const slots = createSlots(MAX_CONCURRENT);

/** Throws AuthError "over_request_rate_limit" if too many tasks wait. */
export async function runPasswordTask<Result>(task: () => Promise<Result>): Promise<Result> {
  if (slots.countWaiting() >= MAX_WAITING) {
    const sentence = "Too many people are signing in right now. Try again in a minute.";
    throw new AuthError("over_request_rate_limit", sentence, { retryAfterSeconds: RETRY_SECONDS });
  }
  const free = await slots.take(1);
  try {
    return await task();
  } finally {
    free();
  }
}
