import type { Failure, FailureColumns } from "#contract/jobs/failures.ts";
import { cleanTail } from "./clean-tail.ts";

export const NO_FAILURE: FailureColumns = {
  error_message: null,
  error_code: null,
  error_step: null,
  error_tail: null,
};

export function failureColumns({ code, step, message, tail }: Failure): FailureColumns {
  return { error_message: message, error_code: code, error_step: step, error_tail: cleanTail(tail) };
}
