export type AuthErrorCode =
  | "invalid_credentials"
  | "email_not_confirmed"
  | "user_banned"
  | "over_request_rate_limit"
  | "over_email_send_rate_limit"
  | "no_authorization"
  | "bad_jwt"
  | "insufficient_aal"
  | "user_not_found"
  | "session_not_found"
  | "session_expired"
  | "refresh_token_not_found"
  | "refresh_token_already_used"
  | "signup_disabled"
  | "email_provider_disabled"
  | "provider_disabled"
  | "provider_email_needs_verification"
  | "bad_oauth_state"
  | "bad_oauth_callback"
  | "user_already_exists"
  | "email_exists"
  | "weak_password"
  | "same_password"
  | "reauthentication_needed"
  | "reauthentication_not_valid"
  | "otp_expired"
  | "phone_provider_disabled"
  | "flow_state_not_found"
  | "too_many_enrolled_mfa_factors"
  | "mfa_factor_name_conflict"
  | "mfa_factor_not_found"
  | "mfa_challenge_expired"
  | "mfa_verification_failed"
  | "mfa_phone_enroll_not_enabled"
  | "validation_failed";

/** `message` is shown in the sign-in form. */
export class AuthError extends Error {
  readonly code: AuthErrorCode;
  readonly retryAfterSeconds: number | null;

  constructor(code: AuthErrorCode, message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = "AuthError";
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
