import { ClipmillError } from "#contract/errors.ts";

/** The database server cannot be reached. Never thrown for the embedded database. */
export class DatabaseOutage extends ClipmillError {
  constructor(sentence: string, details: { cause: unknown; retryAfterSeconds: number }) {
    super("unavailable", sentence, details);
  }
}
