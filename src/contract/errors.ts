import { FAILURES, type FailureCode, type FailureStep } from "./jobs/failures.ts";

export type ErrorCode =
  | FailureCode
  // Why a request was rejected.
  | "invalid"
  | "not_found"
  | "unauthorized"
  | "forbidden"
  // The session is valid, but too old for this.
  | "reauthentication_needed"
  | "conflict"
  | "too_many"
  // A table is in no encoding that can be recognized, or not in the named one.
  | "unknown_encoding"
  // An Idempotency-Key of another request, or of one still running.
  | "key_reused"
  | "in_progress"
  | "cancelled";

export type ErrorDetails = {
  /** Goes to the log; must not contain secrets. */
  facts?: Record<string, unknown>;
  cause?: unknown;
  /** Seconds requested by the remote host. */
  retryAfterSeconds?: number | null;
  /** Only for notifications whose title SPEC gives. */
  title?: string | null;
  step?: FailureStep | null;
  /** Last output lines of ffmpeg or a host, unsanitized. */
  tail?: string | null;
};

/** `message` is one sentence for the operator. */
export class ClipmillError extends Error {
  readonly code: ErrorCode;
  readonly facts: Record<string, unknown>;
  readonly retryAfterSeconds: number | null;
  readonly title: string | null;
  /** Set by `inStep` if null. */
  step: FailureStep | null;
  /** May contain paths and links. */
  readonly tail: string | null;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "ClipmillError";
    this.code = code;
    this.facts = details.facts ?? {};
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.title = details.title ?? null;
    this.step = details.step ?? null;
    this.tail = details.tail ?? null;
  }

  get isRetryable(): boolean {
    return isFailureCode(this.code) && FAILURES[this.code].isRetryable;
  }
}

/** Returns details for an error that has this one as its cause. */
export function detailsOf(error: ClipmillError): ErrorDetails {
  const { facts, retryAfterSeconds, title, step, tail } = error;
  return { facts, retryAfterSeconds, title, step, tail, cause: error };
}

/** Includes only codes of failed videos and outputs. */
export function isFailureCode(code: ErrorCode): code is FailureCode {
  return Object.hasOwn(FAILURES, code);
}

const steps = new WeakMap<object, FailureStep>();

/** Records the step in errors, unless an inner step did. */
export async function inStep<Result>(step: FailureStep, run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ClipmillError) error.step ??= step;
    else if (error instanceof Error && !steps.has(error)) steps.set(error, step);
    throw error;
  }
}

export function stepOf(error: unknown): FailureStep | null {
  if (error instanceof ClipmillError) return error.step;
  return error instanceof Error ? (steps.get(error) ?? null) : null;
}
