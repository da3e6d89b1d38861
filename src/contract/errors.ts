/** Errors that carry a stable code and a sentence for the reader; the log gets the facts besides. */

export type ErrorCode =
  | "invalid"
  | "not_found"
  | "unauthorized"
  | "conflict"
  | "too_many"
  | "unavailable"
  // why a source could not be used
  | "bad_link"
  | "not_shared"
  | "quota_exceeded"
  | "source_not_found"
  | "not_a_video"
  | "not_audio"
  | "unsupported_codec"
  | "too_large"
  | "incomplete"
  | "damaged"
  // ffmpeg fails on this content, and would again
  | "unrenderable"
  | "rate_limited"
  | "network"
  | "no_tool"
  | "render_failed"
  | "no_space"
  | "cancelled";

const PASSING: ReadonlySet<ErrorCode> = new Set([
  "quota_exceeded",
  "incomplete",
  "rate_limited",
  "network",
  "render_failed",
  "no_space",
  "unavailable",
]);

/** A failure whose `message` is one clear sentence for the operator. `facts` are for the log and hold nothing secret. */
export class ClipmillError extends Error {
  readonly code: ErrorCode;
  readonly facts: Record<string, unknown>;
  /** Seconds the other side asked us to wait before the next try. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ErrorCode,
    sentence: string,
    options: { facts?: Record<string, unknown>; cause?: unknown; retryAfterSeconds?: number | null } = {},
  ) {
    super(sentence, { cause: options.cause });
    this.name = "ClipmillError";
    this.code = code;
    this.facts = options.facts ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }

  /** True when the same thing may work later: another attempt makes sense. */
  get mayPass(): boolean {
    return PASSING.has(this.code);
  }
}
