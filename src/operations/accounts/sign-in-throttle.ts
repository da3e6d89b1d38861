/** Slows down guessing without locking anybody out for good: every count is forgotten after ten minutes. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { AuthError } from "./auth-error.ts";

const WINDOW_SECONDS = 10 * 60;
/** Wrong passwords from one address for one account, and from one address for any. */
const MOST_PER_ACCOUNT = 10;
const MOST_PER_ADDRESS = 60;

export type SignInThrottle = {
  /** Counts a try before its password is looked at. Throws AuthError "over_request_rate_limit" when it is one too many. */
  count(email: string, address: string): Promise<void>;
  /** Takes the try back: it was the right password. */
  forgive(email: string, address: string): Promise<void>;
};

/** Counts in the memory of this process: with several servers, an attacker gets the sum of their limits. */
export function createSignInThrottle(): SignInThrottle {
  const perAccount = new RateLimiterMemory({ points: MOST_PER_ACCOUNT, duration: WINDOW_SECONDS });
  const perAddress = new RateLimiterMemory({ points: MOST_PER_ADDRESS, duration: WINDOW_SECONDS });
  return {
    async count(email, address) {
      try {
        await perAccount.consume(keyOf(email, address));
        await perAddress.consume(address);
      } catch (refusal) {
        throw refusal instanceof RateLimiterRes ? tooManyTries(refusal) : refusal;
      }
    },
    async forgive(email, address) {
      await perAccount.delete(keyOf(email, address));
      await perAddress.reward(address);
    },
  };
}

function keyOf(email: string, address: string): string {
  return `${address} ${email}`;
}

function tooManyTries(refusal: RateLimiterRes): AuthError {
  const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new AuthError("over_request_rate_limit", `Too many sign-in attempts. Please try again in ${wait}.`, {
    retryAfterSeconds,
  });
}
