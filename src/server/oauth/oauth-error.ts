import type { ErrorHandler } from "hono";
import { ClipmillError } from "#contract/errors.ts";
import { handleError } from "../requests/error-response.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unsupported_grant_type"
  | "invalid_client_metadata"
  | "invalid_redirect_uri";

/** An error of RFC 6749 section 5.2 or RFC 7591 section 3.2.2. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: 400 | 401;

  constructor(code: OAuthErrorCode, sentence: string, status: 400 | 401 = 400) {
    super(sentence);
    this.code = code;
    this.status = status;
  }
}

/** Also answers other errors in OAuth's form, with their own status. */
export function handleOAuthError(log: ServerContext["log"]): ErrorHandler<ServerEnv> {
  const handleOther = handleError(log, ({ status, sentence }, c) => {
    const isOurs = status >= 500 || status === 429;
    return c.json(
      { error: isOurs ? "temporarily_unavailable" : "invalid_request", error_description: sentence },
      status,
    );
  });
  return (error, c) =>
    error instanceof OAuthError
      ? c.json({ error: error.code, error_description: error.message }, error.status)
      : handleOther(error, c);
}

/** Rethrows a ClipmillError of one code as an OAuthError. */
export function rethrowAs(from: ClipmillError["code"], to: OAuthErrorCode) {
  return (error: unknown): never => {
    if (error instanceof ClipmillError && error.code === from) throw new OAuthError(to, error.message);
    throw error;
  };
}
