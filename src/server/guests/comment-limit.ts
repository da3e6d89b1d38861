import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ClipmillError } from "#contract/errors.ts";
import { GUEST_LIMITS } from "#contract/guests/guests.ts";

const WINDOW_SECONDS = 60;

/** Counts in memory, per process. The result throws ClipmillError "too_many". */
export function createCommentLimit(): (comment: { address: string; linkId: string }) => Promise<void> {
  const most = GUEST_LIMITS.commentsPerMinute;
  const limiter = new RateLimiterMemory({ points: most, duration: WINDOW_SECONDS });
  return async ({ address, linkId }) => {
    try {
      await limiter.consume(`${address} ${linkId}`);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new ClipmillError("too_many", `At most ${most} comments can be sent in a minute. Try again in a minute.`, {
        retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)),
      });
    }
  };
}
