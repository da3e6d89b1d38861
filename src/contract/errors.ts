/** The error that carries a stable code and a sentence for people. */
import { FAILURES, type FailureCode, type FailureStep } from "./jobs/failures.ts";

export type ErrorCode =
  | FailureCode
  // why a request was refused
  | "invalid"
  | "not_found"
  | "unauthorized"
  | "conflict"
  | "too_many"
  | "cancelled";

/** What an error carries beside its code and its sentence. */
export type ErrorDetails = {
  /** For the log: no secrets. */
  facts?: Record<string, unknown>;
  cause?: unknown;
  /** Seconds after which the other side allows another request. */
  retryAfterSeconds?: number | null;
  /** The title of the notification, where the specification has one. */
  title?: string | null;
  step?: FailureStep | null;
  /** The last lines that ffmpeg or a host wrote, as they came. */
  tail?: string | null;
};

/** A failure whose `message` is one clear sentence for the operator. */
export class ClipmillError extends Error {
  readonly code: ErrorCode;
  readonly facts: Record<string, unknown>;
  readonly retryAfterSeconds: number | null;
  readonly title: string | null;
  /** The step of an attempt in which it happened; `inStep` sets it if it is null. */
  step: FailureStep | null;
  /** Not cleaned: it may contain paths and links. */
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

  /** True when the same thing may work later: another attempt makes sense. */
  get mayPass(): boolean {
    return isFailureCode(this.code) && FAILURES[this.code].mayPass;
  }
}

/** Returns the details of an error for one with another sentence, whose cause it is. */
export function detailsOf(error: ClipmillError): ErrorDetails {
  const { facts, retryAfterSeconds, title, step, tail } = error;
  return { facts, retryAfterSeconds, title, step, tail, cause: error };
}

/** Returns whether a video or an output can fail with this code. */
export function isFailureCode(code: ErrorCode): code is FailureCode {
  return Object.hasOwn(FAILURES, code);
}

/** The steps of errors that are not ours: they have no field for it. */
const steps = new WeakMap<object, FailureStep>();

/** Runs a step of an attempt. Notes the step in the error that it throws, unless an inner step has done so. */
export async function inStep<Result>(step: FailureStep, run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ClipmillError) error.step ??= step;
    else if (error instanceof Error && !steps.has(error)) steps.set(error, step);
    throw error;
  }
}

/** Returns the step in which an error was thrown, or null if it is not known. */
export function stepOf(error: unknown): FailureStep | null {
  if (error instanceof ClipmillError) return error.step;
  return error instanceof Error ? (steps.get(error) ?? null) : null;
}
