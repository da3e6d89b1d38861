/**
 * Lets passwords be hashed a few at a time. Each keeps a thread of Node's pool busy for some 50 ms, and files, name lookups and
 * streams share that pool: a flood of sign-ins from many addresses would otherwise stop everything else.
 */
import { AuthError } from "./auth-error.ts";

/** Of the four threads of the pool. */
const MOST_AT_ONCE = 2;
/** Some seconds of work. Who comes then would give up before an answer. */
const MOST_WAITING = 100;
const RETRY_SECONDS = 10;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs the task when it is its turn, first come, first served. Throws AuthError "over_request_rate_limit" when too many wait. */
export async function takePasswordTurn<Result>(task: () => Promise<Result>): Promise<Result> {
  if (running >= MOST_AT_ONCE) await wait();
  else running += 1;
  try {
    return await task();
  } finally {
    const next = waiting.shift();
    // The turn passes on to the next one, so that nobody who has just come takes it.
    if (next) next();
    else running -= 1;
  }
}

function wait(): Promise<void> {
  if (waiting.length >= MOST_WAITING) {
    const sentence = "Too many people are signing in. Try again in a minute.";
    throw new AuthError("over_request_rate_limit", sentence, { retryAfterSeconds: RETRY_SECONDS });
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  return promise;
}
