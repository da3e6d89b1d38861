import { sql } from "kysely";
import type { Database } from "./open-database.ts";

/** What programs on one database take turns at. The numbers are theirs for ever: programs of other versions use them too. */
const TURNS = { preparing: 6_210_002, drawingSamples: 6_210_003 } as const;

/**
 * Runs `act` while no other program on the same database does the same. A program that dies or loses its connection frees
 * the turn. Returns and throws what `act` does.
 */
export async function underLock<Result>(
  database: Pick<Database, "db" | "isEmbedded">,
  turn: keyof typeof TURNS,
  act: () => Promise<Result>,
): Promise<Result> {
  // There is no other program, and the one connection is needed by `act`.
  if (database.isEmbedded) return act();
  return database.db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${TURNS[turn]})`.execute(connection);
    try {
      return await act();
    } finally {
      // A connection that is gone has freed it already.
      await sql`select pg_advisory_unlock(${TURNS[turn]})`.execute(connection).catch(() => {});
    }
  });
}
