import { ClipmillError } from "#contract/errors.ts";

/** The database cannot be reached. */
export class DatabaseOutage extends ClipmillError {
  constructor(sentence: string, details: { cause: unknown; retryAfterSeconds: number }) {
    super("unavailable", sentence, details);
  }
}

/** Closing what was opened may fail, too. */
export function isDatabaseOutage(error: unknown): boolean {
  return error instanceof DatabaseOutage || (error instanceof SuppressedError && isDatabaseOutage(error.suppressed));
}
