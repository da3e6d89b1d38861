import { ClipmillError } from "#contract/errors.ts";
import { AuthError } from "#operations/accounts/auth-error.ts";

/** Exits with status 1 after printing the error: its message if it is an expected error, otherwise everything. */
export function endWithFault(error: unknown): never {
  console.error(error instanceof ClipmillError || error instanceof AuthError ? error.message : error);
  process.exit(1);
}
