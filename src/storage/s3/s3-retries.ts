import type { S3ClientConfig } from "@aws-sdk/client-s3";

type RetryStrategy = Extract<NonNullable<S3ClientConfig["retryStrategy"]>, { acquireInitialRetryToken: unknown }>;

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 20_000;

/**
 * Exponential backoff with jitter. The SDK's strategies share one retry budget per process, which an outage of seconds
 * exhausts.
 */
export function createS3Retries(attempts: number): RetryStrategy {
  return {
    acquireInitialRetryToken: async () => tokenOf(0, 0),
    async refreshRetryTokenForRetry(token, { errorType }) {
      const retries = token.getRetryCount() + 1;
      const isRetryable = errorType === "THROTTLING" || errorType === "TRANSIENT";
      // The caller sees the request's own error.
      if (!isRetryable || retries >= attempts) throw new Error("This request is not retried.");
      const maxDurationMs = Math.min(FIRST_PAUSE_MS * 2 ** (retries - 1), MAX_PAUSE_MS);
      return tokenOf(retries, Math.random() * maxDurationMs);
    },
    recordSuccess() {},
  };
}

function tokenOf(retries: number, pauseMs: number) {
  return { getRetryCount: () => retries, getRetryDelay: () => pauseMs };
}
