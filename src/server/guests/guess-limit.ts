import { RateLimiterMemory } from "rate-limiter-flexible";
import { ClipmillError } from "#contract/errors.ts";

const WINDOW_SECONDS = 10 * 60;
const MAX_WRONG = 30;

export type GuessLimit = {
  /** Throws ClipmillError "too_many" after an address's 30 failed lookups in ten minutes. */
  check<Found>(address: string, find: () => Promise<Found>): Promise<Found>;
};

/** Counts in memory, per process. Valid links do not count: a player may send any number of requests. */
export function createGuessLimit(): GuessLimit {
  const wrong = new RateLimiterMemory({ points: MAX_WRONG, duration: WINDOW_SECONDS });
  return {
    async check(address, find) {
      const counted = await wrong.get(address);
      if (counted && counted.consumedPoints >= MAX_WRONG) {
        const retryAfterSeconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1_000));
        throw new ClipmillError("too_many", "Too many wrong links. Try again in ten minutes.", { retryAfterSeconds });
      }
      try {
        return await find();
      } catch (error) {
        if (error instanceof ClipmillError && error.code === "not_found") await wrong.penalty(address);
        throw error;
      }
    },
  };
}
