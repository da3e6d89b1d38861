/**
 * Limits how many passwords are hashed at the same time. Each hash uses a thread of Node's pool for about 50 ms, and files, name
 * lookups and streams share that pool: a flood of sign-ins from many addresses would otherwise block everything else.
 */
import { createSlots } from "#ground/slots.ts";
import { AuthError } from "../auth-error.ts";

/** Of the four threads of the pool. */
const MOST_AT_ONCE = 2;
/** A few seconds of work. Later clients would give up before they get an answer. */
const MOST_WAITING = 100;
const RETRY_SECONDS = 10;

const slots = createSlots(MOST_AT_ONCE);

/** Runs the task in its turn, first come, first served. Throws AuthError "over_request_rate_limit" when too many wait. */
export async function takePasswordTurn<Result>(task: () => Promise<Result>): Promise<Result> {
  if (slots.countWaiting() >= MOST_WAITING) {
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
