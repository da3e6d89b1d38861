import type { Failure, FailureColumns } from "#contract/jobs/failures.ts";
import { cleanTail } from "./clean-tail.ts";

/** The columns of a row that has not failed. */
export const NO_FAILURE: FailureColumns = {
  error_message: null,
  error_code: null,
  error_step: null,
  error_tail: null,
};

/** Returns the columns of a row that has failed, or waits to be tried again. Cleans the tail: nothing else is stored. */
export function failureColumns({ code, step, message, tail }: Failure): FailureColumns {
  return { error_message: message, error_code: code, error_step: step, error_tail: cleanTail(tail) };
}
