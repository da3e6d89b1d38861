import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { ClipmillError } from "#contract/errors.ts";
import { sha256Of } from "#ground/checksum.ts";

const WINDOW_SECONDS = 10 * 60;
const MAX_WRONG = 30;

type Guess = { address: string; token: string };

export type GuessLimit = {
  /**
   * Allows each address 30 requests with the same wrong link or code, and about 30 different wrong ones, in ten minutes.
   * `find` throws ClipmillError "not_found" for a wrong one. Throws ClipmillError "too_many" above the limit.
   */
  check<Found>(guess: Guess, find: () => Promise<Found>): Promise<Found>;
};

/**
 * Counts in memory, per process. Valid links and codes are never limited: strangers at the same address, such as a shared
 * proxy, must not lock out a client. `what` names them in errors.
 */
export function createGuessLimit(what: "links" | "codes"): GuessLimit {
  const perLink = new RateLimiterMemory({ points: MAX_WRONG, duration: WINDOW_SECONDS });
  const perAddress = new RateLimiterMemory({ points: MAX_WRONG, duration: WINDOW_SECONDS });
  const requireBelowLimit = (counted: RateLimiterRes | null): void => {
    if (!counted || counted.consumedPoints < MAX_WRONG) return;
    const retryAfterSeconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1_000));
    throw new ClipmillError("too_many", `Too many wrong ${what}. Try again in ten minutes.`, { retryAfterSeconds });
  };
  return {
    async check({ address, token }, find) {
      const pair = `${address} ${sha256Of(token)}`;
      const known = await perLink.get(pair);
      requireBelowLimit(known);
      try {
        return await find();
      } catch (error) {
        if (!(error instanceof ClipmillError) || error.code !== "not_found") throw error;
        if (!known) {
          // Stores nothing more once the address's tries are used up.
          requireBelowLimit(await perAddress.get(address));
          await perAddress.penalty(address);
        }
        await perLink.penalty(pair);
        throw error;
      }
    },
  };
}
