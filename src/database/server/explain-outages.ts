import { DatabaseError, type Pool, type PoolClient } from "pg";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { ClipmillError } from "#contract/errors.ts";

const SENTENCE = "The database isn't responding. Try again in a moment.";
const RETRY_AFTER_SECONDS = 2;
/** SQLSTATE prefixes: broken connection, too many connections, starting or stopping. */
const OUTAGE_CODES = ["08", "53300", "57P"];

/**
 * Distinguishes an unreachable database (ClipmillError "unavailable") from a rejected statement (pg's DatabaseError).
 */
export function explainOutages(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => wrapClient(await pool.connect().catch(explain)),
    end: () => pool.end(),
  };
}

/** Kysely recognizes connections by identity. */
const wrapped = new WeakMap<PoolClient, PostgresPoolClient>();

function wrapClient(client: PoolClient): PostgresPoolClient {
  const known = wrapped.get(client);
  if (known) return known;
  // The pool handles errors of idle clients only; on a busy one, an error would end the process. Its query fails
  // anyway.
  client.on("error", () => {});
  const query = (text: string, values: unknown[]) => client.query(text, values).catch(explain);
  const made: PostgresPoolClient = {
    // Without cursors, which Clipmill does not use.
    query: query as unknown as PostgresPoolClient["query"],
    release: (isBroken) => client.release(isBroken),
  };
  wrapped.set(client, made);
  return made;
}

function explain(cause: unknown): never {
  if (cause instanceof DatabaseError && !OUTAGE_CODES.some((code) => cause.code?.startsWith(code))) throw cause;
  throw new ClipmillError("unavailable", SENTENCE, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
