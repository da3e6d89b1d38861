import { ClipmillError } from "#contract/errors.ts";
import { explainS3Response, endpointError } from "#contract/sources/hosts/s3/s3-errors.ts";
import { codeOf } from "#ground/error-code.ts";
import { ForbiddenAddressError } from "#ground/public-address.ts";
import type { S3Credentials } from "../../s3/presign-s3.ts";

export type S3Place = {
  credentials: S3Credentials;
  connection: string;
  bucket: string;
  /** Whether the endpoint may be private or use http. */
  isTrusted: boolean;
};

type SdkError = Error & {
  $metadata: { httpStatusCode?: number };
  $response?: { headers?: Record<string, string> };
};

const FULL = new Set(["XMinioStorageFull", "QuotaExceeded", "InsufficientStorage", "ServiceQuotaExceededException"]);

/** Returns the store's error code of an explained error, or "". */
export function storeErrorOf(error: unknown): string {
  const code = error instanceof ClipmillError ? error.facts["fault"] : undefined;
  return typeof code === "string" ? code : "";
}

/** Converts an SDK error, without the original, which contains the signed request. */
export function explainS3Delivery(
  error: unknown,
  { connection, bucket, credentials }: Pick<S3Place, "connection" | "bucket" | "credentials">,
): unknown {
  if (error instanceof ClipmillError || !(error instanceof Error)) return error;
  if (error instanceof ForbiddenAddressError) {
    const reason = new ClipmillError("bad_link", error.message, { facts: { reason: "address" } });
    return endpointError(connection, credentials.endpoint ?? "", reason);
  }
  if (!isSdkError(error)) return isNetworkError(error) ? unreachable(bucket, codeOf(error)) : error;
  const status = error.$metadata.httpStatusCode;
  if (status === undefined) return unreachable(bucket, codeOf(error) ?? error.name);
  const name = error.name;
  const facts = { status, fault: name };
  if (FULL.has(name) || status === 507) {
    return new ClipmillError("no_space", `The bucket "${bucket}" is full. Free some space, then retry.`, { facts });
  }
  if (status === 412 || status === 409 || name === "NoSuchUpload" || name === "BadDigest" || name === "InvalidPart") {
    return new ClipmillError("unavailable", `The bucket "${bucket}" did not accept a file. It will be sent again.`, {
      facts,
    });
  }
  const headers = error.$response?.headers ?? {};
  const retryAfterSeconds = Number(headers["retry-after"]) || null;
  const response = { status, headers, retryAfterSeconds };
  const explained = explainS3Response(response, `<Code>${name}</Code>`, { action: "get", bucket, key: "" }, connection);
  if (explained.code !== "not_shared") return explained;
  return new ClipmillError(
    "not_shared",
    `The connection "${connection}" does not have permission to write to the bucket "${bucket}". Grant it s3:PutObject, s3:GetObject and s3:ListBucket.`,
    { facts },
  );
}

function isSdkError(error: Error): error is SdkError {
  return "$metadata" in error;
}

function isNetworkError(error: Error): boolean {
  return codeOf(error) !== null || error.name === "TimeoutError";
}

function unreachable(bucket: string, reason: string | null): ClipmillError {
  return new ClipmillError("network", `The bucket "${bucket}" could not be reached or did not respond in time.`, {
    facts: { reason },
  });
}
