/** Why somebody was not let in, in the sign-in protocol's own codes. */
export type AuthErrorCode =
  | "invalid_credentials"
  | "over_request_rate_limit"
  | "no_authorization"
  | "bad_jwt"
  | "user_not_found"
  | "session_not_found"
  | "session_expired"
  | "refresh_token_not_found"
  | "refresh_token_already_used"
  | "validation_failed";

/** `message` is one sentence that the sign-in form can show. */
export class AuthError extends Error {
  readonly code: AuthErrorCode;
  /** Seconds until another try is worth it. */
  readonly retryAfterSeconds: number | null;

  constructor(code: AuthErrorCode, message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = "AuthError";
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
