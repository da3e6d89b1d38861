/**
 * Errors of Dropbox's API (www.dropbox.com/developers/documentation/http/documentation#error-handling, read
 * 2026-11-23). `connection` is the connection's name.
 */
import { ClipmillError, type ErrorCode } from "../errors.ts";
import type { SourceResponse } from "../sources/source-host.ts";

type ErrorResponse = Pick<SourceResponse, "status" | "retryAfterSeconds">;

/** `body` is JSON, with `error_summary` such as "path/not_found/..". */
export function explainDropboxError(response: ErrorResponse, body: string, connection: string): ClipmillError {
  const { status, retryAfterSeconds } = response;
  const reason = textOf(body, "error_summary");
  const details = { facts: { status, fault: reason }, retryAfterSeconds };
  const error = (code: ErrorCode, sentence: string) => new ClipmillError(code, sentence, details);
  const has = (part: RegExp) => part.test(reason);
  if (status === 429 || has(/too_many_(?:requests|write_operations)/)) {
    return error("rate_limited", "Dropbox is limiting requests. Retry in a few minutes.");
  }
  if (status >= 500) return error("network", "Dropbox is having problems right now. Retry later.");
  if (has(/^missing_scope/)) {
    return error(
      "bad_key",
      `${describeScope(body)} to the app of the connection "${connection}" in Dropbox, then authorize it again.`,
    );
  }
  if (status === 401) {
    return error("bad_key", `Dropbox rejected the connection "${connection}". Enter a new refresh token in Settings.`);
  }
  if (status === 403) {
    return error(
      "not_shared",
      `The account of the connection "${connection}" does not have permission to do this. Check its permissions in Dropbox.`,
    );
  }
  if (has(/insufficient_space|storage_quota/)) {
    return error("no_space", "The Dropbox account is full. Delete files there, then retry.");
  }
  if (has(/not_found/)) return error("source_not_found", "Dropbox has no file or folder at this path. Check the path.");
  if (has(/no_write_permission|access_denied|no_permission/)) {
    return error(
      "not_shared",
      `The connection "${connection}" does not have permission to write here. Choose another folder.`,
    );
  }
  if (has(/malformed_path|disallowed_name|restricted_content|not_folder|not_file|conflict/)) {
    return error("bad_link", "Dropbox does not allow this path or name. Choose another one.");
  }
  return error("network", "Dropbox rejected the request. Retry later.");
}

/** Explains a rejected refresh token (RFC 6749, section 5.2). */
export function explainTokenError(
  { status, retryAfterSeconds }: ErrorResponse,
  body: string,
  connection: string,
): ClipmillError {
  const reason = textOf(body, "error");
  const details = { facts: { status, fault: reason }, retryAfterSeconds };
  const error = (code: ErrorCode, sentence: string) => new ClipmillError(code, sentence, details);
  if (status === 429) return error("rate_limited", "Dropbox is limiting requests. Retry in a few minutes.");
  if (status >= 500) return error("network", "Dropbox is having problems right now. Retry later.");
  if (reason.startsWith("invalid_client")) {
    return error("bad_key", `The app key or app secret is wrong. Correct the connection "${connection}" in Settings.`);
  }
  if (reason === "invalid_grant") {
    return error(
      "bad_key",
      `The refresh token is wrong or was revoked. Enter a new one for the connection "${connection}" in Settings.`,
    );
  }
  return error("bad_key", `Dropbox rejected the connection "${connection}". Check its fields in Settings.`);
}

function textOf(body: string, name: string): string {
  try {
    const value = (JSON.parse(body) as Record<string, unknown> | null)?.[name];
    return typeof value === "string" ? value.slice(0, 200) : "";
  } catch {
    return "";
  }
}

function describeScope(body: string): string {
  const scope = /"required_scope"\s*:\s*"([a-z_.]{1,50})"/.exec(body)?.[1];
  return scope === undefined ? "Grant the missing permission" : `Grant the permission ${scope}`;
}
