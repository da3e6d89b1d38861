import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { ClipmillError } from "#contract/errors.ts";
import { fileNotFound } from "../storage.ts";
import type { S3Location } from "./s3-location.ts";

const ACCESS_ERRORS = new Set([
  "AccessDenied",
  "InvalidAccessKeyId",
  "SignatureDoesNotMatch",
  "ExpiredToken",
  "InvalidToken",
]);
const OTHER_REGION = new Set([
  "PermanentRedirect",
  "AuthorizationHeaderMalformed",
  "IllegalLocationConstraintException",
]);
/** Not about a file. An upload is missing when it was completed but the response was lost. */
const NOT_ABOUT_A_FILE = new Set(["NoSuchBucket", "NoSuchUpload"]);
const FULL = new Set(["QuotaExceeded", "XMinioStorageFull", "InsufficientStorage"]);

type SdkError = Error & {
  $metadata: { httpStatusCode?: number; requestId?: string; attempts?: number };
  code?: unknown;
};

/**
 * Converts an SDK error, without the original, which contains the signed request and key id. Returns other errors
 * unchanged.
 */
export function explainS3Error(error: unknown, location: S3Location, key: string | null): unknown {
  if (error instanceof Error && error.name === "CredentialsProviderError") {
    return new ClipmillError("unavailable", noCredentials(location), { facts: { key, bucket: location.bucket } });
  }
  if (!isSdkError(error)) return error;
  const { httpStatusCode: status, requestId, attempts } = error.$metadata;
  const name = typeof error.code === "string" ? error.code : error.name;
  const facts = { key, bucket: location.bucket, fault: name, status, requestId, attempts };
  if (status === 404 && key !== null && !NOT_ABOUT_A_FILE.has(error.name)) return fileNotFound(key);
  if (FULL.has(error.name) || status === 507) {
    return new ClipmillError("no_space", "The storage for finished files is full. Free some space, then retry.", {
      facts,
    });
  }
  if (status === 412) {
    return new ClipmillError("unavailable", "This file was replaced while it was being read. Try again.", { facts });
  }
  return new ClipmillError("unavailable", sentenceOf(error, status, location), { facts });
}

export function unreachable(location: S3Location, facts: Record<string, unknown>): ClipmillError {
  return new ClipmillError("unavailable", unreachableSentence(location), {
    facts: { bucket: location.bucket, ...facts },
  });
}

/** The metadata has no status if no response came. */
export function isSdkError(error: unknown): error is SdkError {
  return error instanceof Error && "$metadata" in error;
}

function sentenceOf(error: SdkError, status: number | undefined, location: S3Location): string {
  const { bucket } = location;
  if (error.name === "NoSuchBucket") return `The bucket "${bucket}" does not exist. Create it, or correct STORAGE_URL.`;
  if (OTHER_REGION.has(error.name))
    return `The bucket "${bucket}" is in a different region. Correct the region in STORAGE_URL.`;
  if (ACCESS_ERRORS.has(error.name) || status === 401 || status === 403) {
    return `Access to the bucket "${bucket}" was denied. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and their permissions.`;
  }
  if (status === undefined || error.name === "TimeoutError" || error.name === "NoSuchUpload")
    return unreachableSentence(location);
  if (status >= 500 || status === 429)
    return `The storage service of the bucket "${bucket}" is having problems right now. Retry later.`;
  return `The storage service of the bucket "${bucket}" did not respond like an S3 service. Check the endpoint in STORAGE_URL.`;
}

function noCredentials({ bucket }: S3Location): string {
  return `There are no credentials for the bucket "${bucket}". Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
}

function unreachableSentence({ bucket, endpoint }: S3Location): string {
  const place = endpoint === null ? "" : ` at ${new URL(endpoint).host}`;
  return `The storage service${place} of the bucket "${bucket}" could not be reached or did not respond in time.`;
}

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
