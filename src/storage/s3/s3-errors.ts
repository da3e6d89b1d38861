/** What goes wrong with an object store, as one sentence for the operator. */
import { ClipmillError } from "#contract/errors.ts";
import type { S3Location } from "./s3-location.ts";
import { notStored } from "../storage-errors.ts";

const REFUSALS = new Set([
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
/** Errors that say "not found" as well. An upload is gone when it was ended and the answer to that was lost. */
const NOT_ABOUT_A_FILE = new Set(["NoSuchBucket", "NoSuchUpload"]);
const FULL = new Set(["QuotaExceeded", "XMinioStorageFull", "InsufficientStorage"]);

type SdkError = Error & {
  $metadata: { httpStatusCode?: number; requestId?: string; attempts?: number };
  code?: unknown;
};

/**
 * An error of the SDK as a ClipmillError; anything else comes back as it is. The SDK's own error stays out of it: it holds
 * what was signed and by which key.
 */
export function explainS3Error(error: unknown, location: S3Location, key: string | null): unknown {
  if (error instanceof Error && error.name === "CredentialsProviderError") {
    return new ClipmillError("unavailable", noCredentials(location), { facts: { key, bucket: location.bucket } });
  }
  if (!isSdkError(error)) return error;
  const { httpStatusCode: status, requestId, attempts } = error.$metadata;
  const fault = typeof error.code === "string" ? error.code : error.name;
  const facts = { key, bucket: location.bucket, fault, status, requestId, attempts };
  if (status === 404 && key !== null && !NOT_ABOUT_A_FILE.has(error.name)) return notStored(key);
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

/** For a store that answers too slowly, or breaks off what it sends. */
export function unreachable(location: S3Location, facts: Record<string, unknown>): ClipmillError {
  return new ClipmillError("unavailable", unreachableSentence(location), {
    facts: { bucket: location.bucket, ...facts },
  });
}

export function isSdkError(error: unknown): error is SdkError {
  return error instanceof Error && "$metadata" in error;
}

function sentenceOf(error: SdkError, status: number | undefined, location: S3Location): string {
  const { bucket } = location;
  if (error.name === "NoSuchBucket") return `The storage has no bucket "${bucket}". Make it, or mend STORAGE_URL.`;
  if (OTHER_REGION.has(error.name)) return `The bucket "${bucket}" is in another region than STORAGE_URL says.`;
  if (REFUSALS.has(error.name) || status === 401 || status === 403) {
    return `The storage refuses access to the bucket "${bucket}". Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY and their rights.`;
  }
  if (status === undefined || error.name === "TimeoutError" || error.name === "NoSuchUpload")
    return unreachableSentence(location);
  if (status >= 500 || status === 429) return `The storage of the bucket "${bucket}" does not work at the moment.`;
  return `The storage of the bucket "${bucket}" does not answer as an S3 service does.`;
}

function noCredentials({ bucket }: S3Location): string {
  return `There are no credentials for the bucket "${bucket}". Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
}

function unreachableSentence({ bucket, endpoint }: S3Location): string {
  const place = endpoint === null ? "" : ` at ${new URL(endpoint).host}`;
  return `The storage${place} of the bucket "${bucket}" cannot be reached, or is too slow.`;
}
