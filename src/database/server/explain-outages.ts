import { DatabaseError, type Pool, type PoolClient } from "pg";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { ClipmillError } from "#contract/errors.ts";

const SENTENCE = "The database isn't responding. Try again in a moment.";
const RETRY_AFTER_SECONDS = 2;
/** By the first characters of PostgreSQL's code: broken connection, too many of them, starting or stopping. */
const OUTAGE_CODES = ["08", "53300", "57P"];

/**
 * The pool with errors that tell a database which cannot be reached (ClipmillError "unavailable") from one that refuses a
 * statement (pg's own DatabaseError).
 */
export function explainOutages(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => wrapClient(await pool.connect().catch(explain)),
    end: () => pool.end(),
  };
}

/** Of a pool's client always the same, by which Kysely knows a connection again. */
const wrapped = new WeakMap<PoolClient, PostgresPoolClient>();

function wrapClient(client: PoolClient): PostgresPoolClient {
  const known = wrapped.get(client);
  if (known) return known;
  // The pool hears the errors of idle clients alone: at one that is at work, an error would end the process. What it is at
  // work on fails by itself.
  client.on("error", () => {});
  const query = (text: string, values: unknown[]) => client.query(text, values).catch(explain);
  const made: PostgresPoolClient = {
    // Without cursors, which nothing here opens.
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
