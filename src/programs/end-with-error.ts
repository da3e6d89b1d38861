import { ClipmillError } from "#contract/errors.ts";
import { AuthError } from "#operations/accounts/auth-error.ts";

/** Prints only the message of expected errors. */
export function endWithError(error: unknown): never {
  console.error(error instanceof ClipmillError || error instanceof AuthError ? error.message : error);
  process.exit(1);
}
