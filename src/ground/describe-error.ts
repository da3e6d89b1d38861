import { ClipmillError, isFailureCode, stepOf } from "#contract/errors.ts";
import type { Failure } from "#contract/jobs/failures.ts";
import { isDiskFull } from "./disk-space.ts";

const INTERNAL = "An internal error in Clipmill stopped this video. The video itself is not the cause.";
/** Transient SQLSTATE classes: deadlock, insufficient resources, operator intervention, system error. */
const PASSING_SQL_CLASSES = /^(?:40|53|57|58)[0-9A-Z]{3}$/;

/** Unknown errors, such as a TypeError, are bugs in Clipmill ("internal"). Adds the step. */
export function describeError(error: unknown): ClipmillError {
  if (error instanceof ClipmillError) return error;
  const details = { cause: error, step: stepOf(error), tail: firstLine(error) };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOSPC" || isDiskFull(error)) {
    return new ClipmillError("no_space", "The disk is full. Free some space, then retry.", details);
  }
  if (error instanceof Error && "syscall" in error) {
    const message = `The worker's machine reported an error (${code}) while processing this video.`;
    return new ClipmillError("system_error", message, details);
  }
  if (PASSING_SQL_CLASSES.test(code)) {
    return new ClipmillError("unavailable", "The database could not complete a request. Retry later.", details);
  }
  return new ClipmillError("internal", INTERNAL, details);
}

/** Codes used only for requests become "internal": such an error here is a bug. */
export function toFailure({ code, step, message, tail }: ClipmillError): Failure {
  return { code: isFailureCode(code) ? code : "internal", step, message, tail };
}

function firstLine(error: unknown): string {
  return String(error).split("\n", 1)[0]!;
}
