import { ClipmillError } from "#contract/errors.ts";

/** The database cannot be reached. */
export class DatabaseOutage extends ClipmillError {
  constructor(sentence: string, details: { cause: unknown; retryAfterSeconds: number }) {
    super("unavailable", sentence, details);
  }
}
