import { ClipmillError, type ErrorCode } from "#contract/errors.ts";

/** Where the queue's own second or two before the next attempt would only use the attempts up. */
const FIRST_WAIT_SECONDS: Partial<Record<ErrorCode, number>> = {
  // Google counts downloads by the hour and by the day.
  quota_exceeded: 600,
  // Somebody, or the next clearing away, has to make room first.
  no_space: 30,
};

/**
 * The fault with the wait before its next attempt, where its kind needs a long one and the other side asked for none: twice
 * as long after each attempt. `attempt` counts from 1.
 */
export function putOff(fault: ClipmillError, attempt: number): ClipmillError {
  const firstSeconds = FIRST_WAIT_SECONDS[fault.code];
  if (firstSeconds === undefined || fault.retryAfterSeconds !== null) return fault;
  const { code, message, facts } = fault;
  const retryAfterSeconds = firstSeconds * 2 ** (attempt - 1);
  return new ClipmillError(code, message, { facts, cause: fault, retryAfterSeconds });
}
