import { ClipmillError } from "#contract/errors.ts";
import { AuthError } from "#operations/accounts/auth-error.ts";

/** Ends the process with what went wrong: one sentence where it is known, else all that is. */
export function endWithFault(error: unknown): never {
  console.error(error instanceof ClipmillError || error instanceof AuthError ? error.message : error);
  process.exit(1);
}
