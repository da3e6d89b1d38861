import { ClipmillError } from "#contract/errors.ts";

/** Only a database on a server can be away. */
export class DatabaseOutage extends ClipmillError {
  constructor(sentence: string, details: { cause: unknown; retryAfterSeconds: number }) {
    super("unavailable", sentence, details);
  }
}
