/**
 * Errors of Dropbox's API (www.dropbox.com/developers/documentation/http/documentation#error-handling, read
 * 2026-11-23). `connection` is the connection's name.
 */
import { ClipmillError, type ErrorCode } from "../errors.ts";
import type { SourceResponse } from "../sources/source-host.ts";

type Refused = Pick<SourceResponse, "status" | "retryAfterSeconds">;

/** `body` is JSON, with `error_summary` such as "path/not_found/..". */
export function explainDropboxRefusal(response: Refused, body: string, connection: string): ClipmillError {
  const { status, retryAfterSeconds } = response;
  const fault = textOf(body, "error_summary");
  const details = { facts: { status, fault }, retryAfterSeconds };
  const refuse = (code: ErrorCode, sentence: string) => new ClipmillError(code, sentence, details);
  const has = (part: RegExp) => part.test(fault);
  if (status === 429 || has(/too_many_(?:requests|write_operations)/)) {
    return refuse("rate_limited", "Dropbox is limiting requests. Retry in a few minutes.");
  }
  if (status >= 500) return refuse("network", "Dropbox is having problems right now. Retry later.");
  if (has(/^missing_scope/)) {
    return refuse(
      "bad_key",
      `${describeScope(body)} to the app of the connection "${connection}" in Dropbox, then authorize it again.`,
    );
  }
  if (status === 401) {
    return refuse("bad_key", `Dropbox rejected the connection "${connection}". Enter a new refresh token in Settings.`);
  }
  if (status === 403) {
    return refuse(
      "not_shared",
      `The account of the connection "${connection}" does not have permission to do this. Check its permissions in Dropbox.`,
    );
  }
  if (has(/insufficient_space|storage_quota/)) {
    return refuse("no_space", "The Dropbox account is full. Delete files there, then retry.");
  }
  if (has(/not_found/))
    return refuse("source_not_found", "Dropbox has no file or folder at this path. Check the path.");
  if (has(/no_write_permission|access_denied|no_permission/)) {
    return refuse(
      "not_shared",
      `The connection "${connection}" does not have permission to write here. Choose another folder.`,
    );
  }
  if (has(/malformed_path|disallowed_name|restricted_content|not_folder|not_file|conflict/)) {
    return refuse("bad_link", "Dropbox does not allow this path or name. Choose another one.");
  }
  return refuse("network", "Dropbox rejected the request. Retry later.");
}

/** Explains a rejected refresh token (RFC 6749, section 5.2). */
export function explainTokenRefusal(
  { status, retryAfterSeconds }: Refused,
  body: string,
  connection: string,
): ClipmillError {
  const fault = textOf(body, "error");
  const details = { facts: { status, fault }, retryAfterSeconds };
  const refuse = (code: ErrorCode, sentence: string) => new ClipmillError(code, sentence, details);
  if (status === 429) return refuse("rate_limited", "Dropbox is limiting requests. Retry in a few minutes.");
  if (status >= 500) return refuse("network", "Dropbox is having problems right now. Retry later.");
  if (fault.startsWith("invalid_client")) {
    return refuse("bad_key", `The app key or app secret is wrong. Correct the connection "${connection}" in Settings.`);
  }
  if (fault === "invalid_grant") {
    return refuse(
      "bad_key",
      `The refresh token is wrong or was revoked. Enter a new one for the connection "${connection}" in Settings.`,
    );
  }
  return refuse("bad_key", `Dropbox rejected the connection "${connection}". Check its fields in Settings.`);
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
