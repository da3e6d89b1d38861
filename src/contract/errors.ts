/** Errors with a stable code and a message for the operator. */
import { FAILURES, type FailureCode, type FailureStep } from "./jobs/failures.ts";

export type ErrorCode =
  | FailureCode
  // why a request was rejected
  | "invalid"
  | "not_found"
  | "unauthorized"
  | "forbidden"
  | "conflict"
  | "too_many"
  // an Idempotency-Key of another request, or of one that is still running
  | "key_reused"
  | "in_progress"
  | "cancelled";

export type ErrorDetails = {
  /** For the log; must not contain secrets. */
  facts?: Record<string, unknown>;
  cause?: unknown;
  /** Seconds after which the remote host allows another request. */
  retryAfterSeconds?: number | null;
  /** The notification's title, if the specification gives one. */
  title?: string | null;
  step?: FailureStep | null;
  /** The last lines of output of ffmpeg or a host, unmodified. */
  tail?: string | null;
};

/** A failure whose `message` is one sentence for the operator. */
export class ClipmillError extends Error {
  readonly code: ErrorCode;
  readonly facts: Record<string, unknown>;
  readonly retryAfterSeconds: number | null;
  readonly title: string | null;
  /** The step of the attempt that failed; `inStep` sets it if null. */
  step: FailureStep | null;
  /** Not sanitized: may contain paths and links. */
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

  /** True if a retry may succeed. */
  get isRetryable(): boolean {
    return isFailureCode(this.code) && FAILURES[this.code].isRetryable;
  }
}

/** Returns details for a new error with another message, whose `cause` is this one. */
export function detailsOf(error: ClipmillError): ErrorDetails {
  const { facts, retryAfterSeconds, title, step, tail } = error;
  return { facts, retryAfterSeconds, title, step, tail, cause: error };
}

/** Returns true for the codes of failed videos and outputs. */
export function isFailureCode(code: ErrorCode): code is FailureCode {
  return Object.hasOwn(FAILURES, code);
}

/** For errors other than ClipmillError, which have no field for it. */
const steps = new WeakMap<object, FailureStep>();

/** Runs a step of an attempt and records it in errors, unless an inner step did. */
export async function inStep<Result>(step: FailureStep, run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ClipmillError) error.step ??= step;
    else if (error instanceof Error && !steps.has(error)) steps.set(error, step);
    throw error;
  }
}

/** Returns the failed step, or null if unknown. */
export function stepOf(error: unknown): FailureStep | null {
  if (error instanceof ClipmillError) return error.step;
  return error instanceof Error ? (steps.get(error) ?? null) : null;
}
