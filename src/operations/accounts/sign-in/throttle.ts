/** Slows down guessing without lockouts. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { AuthError, type AuthErrorCode } from "../auth-error.ts";

const WINDOW_SECONDS = 10 * 60;

/** `account` is an email or id; `address` is the client's IP address. */
type Attempt = { account: string; address: string };

type Throttle = {
  /** Call it before checking the secret. Throws AuthError above the limit. */
  count(attempt: Attempt): Promise<void>;
  /** Call it after a correct try. */
  forgive(attempt: Attempt): Promise<void>;
};

/** Tries per window; a pair is an account and an address. */
type Limits = {
  perPair: number;
  perAddress: number;
  perAccount?: number;
  /** Addresses that get one more try each after `perAccount`: strangers must not exhaust the owner's limit. */
  furtherAddresses?: number;
};

export type Throttles = {
  signIn: Throttle;
  /** Returns from the OpenID provider: each contacts it. */
  openId: Throttle;
  secondStep: Throttle;
  /** Requested by anyone. */
  mail: Throttle;
  /** Requested by the signed-in account. */
  ownMail: Throttle;
  mailCode: Throttle;
};

/** Counts in this process's memory: several servers multiply an attacker's limits. */
export function createThrottles(): Throttles {
  return {
    // No limit per account: anyone could lock out its owner.
    signIn: createThrottle("sign-in attempts", "over_request_rate_limit", { perPair: 10, perAddress: 60 }),
    openId: createThrottle("sign-in attempts", "over_request_rate_limit", { perPair: 60, perAddress: 60 }),
    // The password is known here: an attacker must not try a million codes from many addresses.
    secondStep: createThrottle("wrong codes", "over_request_rate_limit", {
      perPair: 10,
      perAddress: 60,
      perAccount: 30,
    }),
    mail: createThrottle("mails", "over_email_send_rate_limit", {
      perPair: 5,
      perAddress: 30,
      perAccount: 15,
      furtherAddresses: 100,
    }),
    ownMail: createThrottle("mails", "over_email_send_rate_limit", { perPair: 5, perAddress: 30, perAccount: 15 }),
    mailCode: createThrottle("attempts", "over_request_rate_limit", { perPair: 10, perAddress: 60 }),
  };
}

function createThrottle(what: string, code: AuthErrorCode, limits: Limits): Throttle {
  const perPair = limiter(limits.perPair);
  const perAddress = limiter(limits.perAddress);
  const perAccount = limits.perAccount ? limiter(limits.perAccount) : null;
  const furtherAddresses = limits.furtherAddresses ? limiter(limits.furtherAddresses) : null;

  /** Stores nothing once the address's tries are used up. */
  async function countPair({ account, address }: Attempt): Promise<number> {
    await perAddress.consume(address);
    try {
      return (await perPair.consume(`${address} ${account}`)).consumedPoints;
    } catch (error) {
      await perAddress.reward(address);
      throw error;
    }
  }

  async function countAccount(account: string, isFirstOfAddress: boolean): Promise<void> {
    try {
      await perAccount?.consume(account);
    } catch (error) {
      if (!furtherAddresses || !isFirstOfAddress) throw error;
      await furtherAddresses.consume(account);
    }
  }

  return {
    async count(attempt) {
      try {
        await countAccount(attempt.account, (await countPair(attempt)) === 1);
      } catch (error) {
        throw error instanceof RateLimiterRes ? tooMany(what, code, error) : error;
      }
    },
    async forgive({ account, address }) {
      await perPair.delete(`${address} ${account}`);
      await perAddress.reward(address);
      await perAccount?.delete(account);
    },
  };
}

function limiter(points: number): RateLimiterMemory {
  return new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
}

function tooMany(what: string, code: AuthErrorCode, limited: RateLimiterRes): AuthError {
  const retryAfterSeconds = Math.max(1, Math.ceil(limited.msBeforeNext / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new AuthError(code, `Too many ${what}. Try again in ${wait}.`, { retryAfterSeconds });
}
