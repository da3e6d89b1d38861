import type { Context, ErrorHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Logger } from "pino";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
import { type Problem, type ProblemCode, problemType, REMEDIES } from "#contract/problems.ts";
import { isDatabaseFull } from "#ground/disk-space.ts";
import { currentSpan } from "#ground/tracing/tracing.ts";
import { AuthError, type AuthErrorCode } from "#operations/accounts/auth-error.ts";
import type { ServerEnv } from "../server-context.ts";

export type PublicError = {
  status: ContentfulStatusCode;
  code: string;
  sentence: string;
  title: string | null;
  retryAfterSeconds: number | null;
  isAuth: boolean;
  /** Logged, never sent. */
  facts: Record<string, unknown>;
};

const STATUS_OF: Record<ErrorCode, ContentfulStatusCode> = {
  invalid: 400,
  not_found: 404,
  unauthorized: 401,
  forbidden: 403,
  reauthentication_needed: 403,
  conflict: 409,
  key_reused: 422,
  in_progress: 409,
  too_many: 429,
  unknown_encoding: 422,
  unavailable: 503,
  too_large: 413,
  too_short: 422,
  bad_link: 422,
  not_shared: 422,
  source_not_found: 422,
  not_a_video: 422,
  not_audio: 422,
  not_an_image: 422,
  bad_subtitles: 422,
  unsupported_codec: 422,
  incomplete: 422,
  damaged: 422,
  unrenderable: 422,
  no_tool: 422,
  not_transcribed: 422,
  render_failed: 422,
  quota_exceeded: 503,
  rate_limited: 503,
  network: 503,
  no_space: 507,
  bad_key: 422,
  system_error: 500,
  worker_lost: 500,
  internal: 500,
  cancelled: 409,
};

const STATUS_OF_AUTH: Record<AuthErrorCode, ContentfulStatusCode> = {
  invalid_credentials: 400,
  email_not_confirmed: 400,
  user_banned: 403,
  over_request_rate_limit: 429,
  over_email_send_rate_limit: 429,
  no_authorization: 401,
  bad_jwt: 403,
  insufficient_aal: 403,
  user_not_found: 403,
  session_not_found: 403,
  session_expired: 400,
  refresh_token_not_found: 400,
  refresh_token_already_used: 400,
  signup_disabled: 422,
  email_provider_disabled: 422,
  provider_disabled: 400,
  provider_email_needs_verification: 403,
  bad_oauth_state: 400,
  bad_oauth_callback: 400,
  user_already_exists: 422,
  email_exists: 422,
  weak_password: 422,
  same_password: 422,
  reauthentication_needed: 400,
  reauthentication_not_valid: 422,
  otp_expired: 403,
  phone_provider_disabled: 400,
  flow_state_not_found: 404,
  too_many_enrolled_mfa_factors: 422,
  mfa_factor_name_conflict: 422,
  mfa_factor_not_found: 404,
  mfa_challenge_expired: 422,
  mfa_verification_failed: 422,
  mfa_phone_enroll_not_enabled: 422,
  validation_failed: 400,
};

/** Sends clients only messages of our own error classes. */
export function toPublicError(error: unknown): PublicError {
  if (error instanceof ClipmillError) {
    const { code, message, title, facts, retryAfterSeconds } = error;
    return { status: STATUS_OF[code], code, sentence: message, title, retryAfterSeconds, isAuth: false, facts };
  }
  if (error instanceof AuthError) {
    const { code, message, retryAfterSeconds } = error;
    const status = STATUS_OF_AUTH[code];
    return { status, code, sentence: message, title: null, retryAfterSeconds, isAuth: true, facts: {} };
  }
  const unknown = { title: null, retryAfterSeconds: null, isAuth: false, facts: {} };
  if (isDatabaseFull(error)) {
    const sentence = "The database's disk is full. Free some space, then try again.";
    return { ...unknown, status: 507, code: "no_space", sentence };
  }
  const sentence = "Something went wrong on the server. Try again.";
  return { ...unknown, status: 500, code: "unexpected_failure", sentence };
}

/** Here the session is valid, but proof of identity is required. Other sign-in errors mean that it is invalid. */
const FAILED_PROOFS: Partial<Record<string, ErrorCode>> = {
  reauthentication_needed: "reauthentication_needed",
  reauthentication_not_valid: "invalid",
  invalid_credentials: "invalid",
  over_request_rate_limit: "too_many",
} satisfies Partial<Record<AuthErrorCode, ErrorCode>>;

/** For errors outside sign-in, which has its own codes, and tables. */
export function toProblem(error: PublicError): Problem & { status: ContentfulStatusCode } {
  const authCode = FAILED_PROOFS[error.code] ?? "unauthorized";
  const code = error.isAuth ? authCode : (error.code as ProblemCode);
  return {
    error: error.sentence,
    ...(error.title !== null && { title: error.title }),
    code,
    remedy: REMEDIES[code],
    status: error.isAuth ? STATUS_OF[authCode] : error.status,
    type: problemType(code),
  };
}

/** Clients parse only application/json, not RFC 9457's media type. */
export function respondWithProblem(error: PublicError, c: Context): Response {
  const problem = toProblem(error);
  return c.json(problem, problem.status);
}

export function handleError(
  log: Logger,
  toBody: (error: PublicError, c: Context<ServerEnv>) => Response,
): ErrorHandler<ServerEnv> {
  return (error, c) => {
    const publicError = toPublicError(error);
    const facts = { requestId: c.get("requestId"), code: publicError.code, ...publicError.facts };
    currentSpan()?.fail(publicError.code, publicError.status >= 500);
    if (publicError.status >= 500) log.error({ ...facts, err: error }, "request failed");
    else log.debug(facts, "request rejected");
    if (publicError.retryAfterSeconds !== null)
      c.header("Retry-After", String(Math.ceil(publicError.retryAfterSeconds)));
    return toBody(publicError, c);
  };
}
