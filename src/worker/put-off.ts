import { ClipmillError, type ErrorCode } from "#contract/errors.ts";

/** Seconds before the second attempt, by what the first one met. */
export type FirstWaits = Partial<Record<ErrorCode, number>>;

/** Where the queue's own second or two before the next attempt would only use the attempts up. */
const FIRST_WAIT_SECONDS: FirstWaits = {
  // Google counts downloads by the hour and by the day.
  quota_exceeded: 600,
  // Somebody, or the next clearing away, has to make room first.
  no_space: 30,
  // The storage is away, though each request to it was tried again and again: a restart or an upgrade of it takes a minute or two.
  unavailable: 15,
};

/**
 * The fault with the wait before its next attempt, where its kind needs a long one and the other side asked for none: twice
 * as long after each attempt. `attempt` counts from 1.
 */
export function putOff(
  fault: ClipmillError,
  attempt: number,
  firstWaits: FirstWaits = FIRST_WAIT_SECONDS,
): ClipmillError {
  const firstSeconds = firstWaits[fault.code];
  if (firstSeconds === undefined || fault.retryAfterSeconds !== null) return fault;
  const { code, message, facts } = fault;
  const retryAfterSeconds = firstSeconds * 2 ** (attempt - 1);
  return new ClipmillError(code, message, { facts, cause: fault, retryAfterSeconds });
}
