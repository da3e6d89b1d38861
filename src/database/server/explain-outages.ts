import { DatabaseError, type Pool, type PoolClient } from "pg";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { DatabaseOutage } from "./database-outage.ts";

const SENTENCE = "The database isn't responding. Try again in a moment.";
const CROWDED =
  "The database accepts no more connections. Raise its max_connections, or run fewer programs (docs/operations/scale.md).";
const RETRY_AFTER_SECONDS = 2;
const TOO_MANY_CONNECTIONS = "53300";
/** Broken connection, too many connections, starting or stopping. */
const OUTAGE_CODES = ["08", TOO_MANY_CONNECTIONS, "57P"];

/**
 * Distinguishes an unreachable database (DatabaseOutage) from a rejected statement (pg's DatabaseError).
 */
export function explainOutages(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => wrapClient(await pool.connect().catch(explainOutage)),
    end: () => pool.end(),
  };
}

/** Kysely recognizes connections by identity. */
const wrapped = new WeakMap<PoolClient, PostgresPoolClient>();

function wrapClient(client: PoolClient): PostgresPoolClient {
  const known = wrapped.get(client);
  if (known) return known;
  // The pool handles errors of idle clients only; on a busy one, an unhandled error would end the process. Its query
  // fails anyway.
  client.on("error", () => {});
  const query = (text: string, values: unknown[]) => client.query(text, values).catch(explainOutage);
  const made: PostgresPoolClient = {
    // Without cursors, which Clipmill does not use.
    query: query as unknown as PostgresPoolClient["query"],
    release: (isBroken) => client.release(isBroken),
  };
  wrapped.set(client, made);
  return made;
}

/** Throws DatabaseOutage, or the same error if the database rejected the statement. */
export function explainOutage(cause: unknown): never {
  if (cause instanceof ClipmillError) throw cause;
  if (cause instanceof DatabaseError && !OUTAGE_CODES.some((code) => cause.code?.startsWith(code))) throw cause;
  const isCrowded = cause instanceof DatabaseError && cause.code === TOO_MANY_CONNECTIONS;
  throw new DatabaseOutage(isCrowded ? CROWDED : SENTENCE, {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
