import type { Context } from "hono";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ClipmillError } from "#contract/errors.ts";

const TOKEN_LIMIT = { requests: 3_000, seconds: 60 } as const;

/** Throws ClipmillError "too_many" above the limit. */
export type CountRequest = (c: Context, tokenId: string) => Promise<void>;

/** Counts in memory, per process, and sends the headers of draft-ietf-httpapi-ratelimit-headers. */
export function createTokenLimit({
  requests,
  seconds,
}: { requests: number; seconds: number } = TOKEN_LIMIT): CountRequest {
  const limiter = new RateLimiterMemory({ points: requests, duration: seconds });
  return async (c, tokenId) => {
    const result = await limiter.consume(tokenId).catch((limited: unknown) => {
      if (limited instanceof RateLimiterRes) return limited;
      throw limited;
    });
    const resetSeconds = Math.max(1, Math.ceil(result.msBeforeNext / 1_000));
    c.header("RateLimit-Policy", `"token";q=${requests};w=${seconds}`);
    c.header("RateLimit", `"token";r=${Math.max(0, result.remainingPoints)};t=${resetSeconds}`);
    if (result.consumedPoints <= requests) return;
    const sentence = `This API token has sent more than ${requests.toLocaleString("en")} requests in a minute.`;
    throw new ClipmillError("too_many", sentence, { retryAfterSeconds: resetSeconds });
  };
}
