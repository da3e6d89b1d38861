/** Errors of a service account. `connection` is the connection's name. */
import { ClipmillError, type ErrorCode } from "../errors.ts";
import { explainApiError } from "../sources/hosts/google-drive/drive-errors.ts";
import type { SourceResponse } from "../sources/source-host.ts";

type ErrorResponse = Pick<SourceResponse, "status" | "retryAfterSeconds">;

/** Follows API v3 (developers.google.com/workspace/drive/api/guides/handle-errors, read 2026-11-23). */
export function explainDriveError(response: ErrorResponse, body: string, connection: string): ClipmillError {
  const { status, retryAfterSeconds } = response;
  const details = { facts: { status }, retryAfterSeconds };
  const error = (code: ErrorCode, sentence: string) => new ClipmillError(code, sentence, details);
  if (/storageQuotaExceeded|teamDriveFileLimitExceeded/.test(body)) {
    return error(
      "no_space",
      "Service accounts have no storage of their own. Choose a folder of a shared drive with free space.",
    );
  }
  if (/accessNotConfigured|SERVICE_DISABLED/.test(body)) {
    return error(
      "bad_key",
      "The Google Drive API is turned off for this service account. Enable it in Google Cloud, then retry.",
    );
  }
  if (status === 401) {
    return error("bad_key", `Google rejected the key of the connection "${connection}". Save a new key in Settings.`);
  }
  const isLimit = status === 429 || /rateLimitExceeded|RateLimitExceeded|dailyLimitExceeded/.test(body);
  if (status === 403 && !isLimit) {
    return error(
      "not_shared",
      `The service account of the connection "${connection}" does not have permission to do this. Share the folder with it as an editor.`,
    );
  }
  if (status === 404) {
    return error(
      "source_not_found",
      `The connection "${connection}" cannot access this folder or file in Google Drive. Check that it exists and is shared with the service account.`,
    );
  }
  if (status === 400) return error("bad_link", "Google Drive does not allow this folder or name. Choose another one.");
  return explainApiError(status, body, retryAfterSeconds);
}

/** Explains a rejected assertion (developers.google.com/identity/protocols/oauth2/service-account#error-codes). */
export function explainAssertionError(
  { status, retryAfterSeconds }: ErrorResponse,
  body: string,
  connection: string,
): ClipmillError {
  const details = { facts: { status }, retryAfterSeconds };
  const error = (code: ErrorCode, sentence: string) => new ClipmillError(code, sentence, details);
  if (status === 429) return error("rate_limited", "Google is limiting requests. Retry in a few minutes.");
  if (status >= 500) return error("network", "Google is having problems right now. Retry later.");
  if (/iat and exp|short-lived token/i.test(body)) {
    return error("bad_key", "The clock of this machine is wrong, so the request was rejected. Correct the clock.");
  }
  if (/account not found|disabled_client|deleted_client/i.test(body)) {
    return error(
      "bad_key",
      `The service account of the connection "${connection}" was deleted or disabled. Save the key of another one in Settings.`,
    );
  }
  return error(
    "bad_key",
    `Google rejected the key of the connection "${connection}". It may have been deleted: save a new one in Settings.`,
  );
}
