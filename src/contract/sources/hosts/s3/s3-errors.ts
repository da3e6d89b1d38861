/**
 * Codes: "Error responses", Amazon S3 API Reference (docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, read
 * 2026-11-22), which compatible stores follow.
 */
import type { S3Request } from "../../../connections/s3-requests.ts";
import { ClipmillError, type ErrorCode, type ErrorDetails } from "../../../errors.ts";
import type { SourceResponse } from "../../source-host.ts";

const WRONG_SECRET = new Set(["SignatureDoesNotMatch"]);
const WRONG_KEY = new Set(["InvalidAccessKeyId", "InvalidToken", "InvalidClientTokenId"]);
const WRONG_REGION = new Set([
  "PermanentRedirect",
  "TemporaryRedirect",
  "Redirect",
  "AuthorizationHeaderMalformed",
  "AuthorizationQueryParametersError",
  "IllegalLocationConstraintException",
]);
const ARCHIVED = new Set(["InvalidObjectState"]);
const BUSY = new Set(["SlowDown", "RequestLimitExceeded", "TooManyRequests", "Throttling"]);
/** Amazon accepts presigned requests up to 15 minutes ahead of its clock. */
const MAX_SKEW_MS = 15 * 60_000;

export function explainS3Response(
  response: Pick<SourceResponse, "status" | "headers" | "retryAfterSeconds">,
  body: string,
  request: S3Request,
  connection: string,
  now = Date.now(),
): ClipmillError {
  const { status, headers, retryAfterSeconds } = response;
  const code = elementOf(body, "Code");
  const region = headers["x-amz-bucket-region"] ?? elementOf(body, "Region");
  const details = { facts: { status, fault: code }, retryAfterSeconds };
  const error = (kind: ErrorCode, sentence: string) => new ClipmillError(kind, sentence, details);
  const at = `the connection "${connection}" in Settings`;
  const bucket = request.action === "list-buckets" ? null : request.bucket;
  const place = bucket === null ? "The storage service" : `The bucket "${bucket}"`;

  if (code === "RequestTimeTooSkewed" || code === "RequestExpired" || (status === 403 && isSkewed(headers, now))) {
    return error("bad_key", "The clock of this machine is wrong, so the request was rejected. Correct the clock.");
  }
  if (WRONG_KEY.has(code)) return error("bad_key", `The access key ID is not valid. Correct ${at}.`);
  if (WRONG_SECRET.has(code)) return error("bad_key", `The secret access key is wrong. Correct ${at}.`);
  if (code === "ExpiredToken") return error("bad_key", `The access key has expired. Replace it in ${at}.`);
  if (WRONG_REGION.has(code) || (status >= 300 && status < 400)) {
    const where = /^[a-z0-9-]{1,50}$/.test(region) ? `in the region ${region}` : "in another region";
    return error("bad_key", `${place} is ${where}. Correct the region of ${at}.`);
  }
  if (code === "NoSuchBucket") {
    return error("source_not_found", `${place} does not exist. Check its name and the endpoint of ${at}.`);
  }
  if (ARCHIVED.has(code)) {
    return error("not_shared", "This file is archived. Restore it in its bucket, then retry.");
  }
  if (code === "NoSuchKey" || (status === 404 && request.action === "get")) {
    return error("source_not_found", `${place} has no file with this name. Check the link.`);
  }
  if (status === 416) return emptyFile(details);
  if (status === 401 || status === 403) return error("not_shared", describeDenied(request, connection));
  if (BUSY.has(code) || status === 429) {
    return error("rate_limited", `${place} is limiting requests. Retry in a few minutes.`);
  }
  if (status >= 500) return error("network", `${place} is having problems right now. Retry later.`);
  return error("bad_link", `${place} did not respond like an S3 service. Check the endpoint of ${at}.`);
}

export function emptyFile(details?: ErrorDetails): ClipmillError {
  return new ClipmillError("not_a_video", "This file is empty.", details);
}

/** The guard rejected the endpoint because of `cause`. */
export function endpointError(connection: string, endpoint: string, cause: ClipmillError): ClipmillError {
  const what = cause.facts["reason"] === "address" ? "is on a private network" : "does not use https";
  return new ClipmillError(
    "bad_key",
    `The endpoint of the connection "${connection}" ${what}. Add ${endpoint} to ALLOW_PRIVATE_SOURCES on the server to allow it.`,
    { facts: cause.facts, cause },
  );
}

function describeDenied(request: S3Request, connection: string): string {
  if (request.action === "list-buckets")
    return `The key of the connection "${connection}" does not have permission to list buckets.`;
  if (request.action === "list") {
    return `The key is valid, but it does not have permission to list the bucket "${request.bucket}". Grant it s3:ListBucket and s3:GetObject.`;
  }
  // Without s3:ListBucket, S3 returns the same for a missing file.
  return `The connection "${connection}" does not have permission to read this file, or the file does not exist. Check the link and the key's permissions.`;
}

/** With a wrong clock, presigned requests fail with AccessDenied; there is no specific code. */
function isSkewed(headers: SourceResponse["headers"], now: number): boolean {
  const there = Date.parse(headers["date"] ?? "");
  return Math.abs(there - now) > MAX_SKEW_MS;
}

function elementOf(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]{0,200})</${name}>`).exec(xml)?.[1]?.trim() ?? "";
}
