import type { S3ClientConfig } from "@aws-sdk/client-s3";

type RetryStrategy = Extract<NonNullable<S3ClientConfig["retryStrategy"]>, { acquireInitialRetryToken: unknown }>;

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 20_000;

/**
 * Tries a request up to so many times, after ever longer pauses of random length. The SDK's own strategies share a budget
 * among all requests of a process: after an outage of seconds it is used up, and from then on nothing is tried twice.
 */
export function createS3Retries(attempts: number): RetryStrategy {
  return {
    acquireInitialRetryToken: async () => tokenOf(0, 0),
    async refreshRetryTokenForRetry(token, { errorType }) {
      const retries = token.getRetryCount() + 1;
      const mayPass = errorType === "THROTTLING" || errorType === "TRANSIENT";
      // The request's own error is what its caller sees.
      if (!mayPass || retries >= attempts) throw new Error("This request is not tried again.");
      const longestMs = Math.min(FIRST_PAUSE_MS * 2 ** (retries - 1), LONGEST_PAUSE_MS);
      return tokenOf(retries, Math.random() * longestMs);
    },
    recordSuccess() {},
  };
}

function tokenOf(retries: number, pauseMs: number) {
  return { getRetryCount: () => retries, getRetryDelay: () => pauseMs };
}
