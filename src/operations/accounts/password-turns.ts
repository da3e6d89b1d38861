/**
 * Limits how many passwords are hashed at the same time. Each hash uses a thread of Node's pool for about 50 ms, and files, name
 * lookups and streams share that pool: a flood of sign-ins from many addresses would otherwise block everything else.
 */
import { AuthError } from "./auth-error.ts";

/** Of the four threads of the pool. */
const MOST_AT_ONCE = 2;
/** A few seconds of work. Later clients would give up before they get an answer. */
const MOST_WAITING = 100;
const RETRY_SECONDS = 10;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs the task in its turn, first come, first served. Throws AuthError "over_request_rate_limit" when too many wait. */
export async function takePasswordTurn<Result>(task: () => Promise<Result>): Promise<Result> {
  if (running >= MOST_AT_ONCE) await wait();
  else running += 1;
  try {
    return await task();
  } finally {
    const next = waiting.shift();
    // Passes the turn to the next in line, so that a newcomer cannot take it.
    if (next) next();
    else running -= 1;
  }
}

function wait(): Promise<void> {
  if (waiting.length >= MOST_WAITING) {
    const sentence = "Too many people are signing in right now. Try again in a minute.";
    throw new AuthError("over_request_rate_limit", sentence, { retryAfterSeconds: RETRY_SECONDS });
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  return promise;
}
