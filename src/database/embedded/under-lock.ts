import { type Kysely, sql } from "kysely";
import type { Database } from "../open-database.ts";
import type { Tables } from "../tables.ts";

/** What programs on one database take turns at. The numbers are theirs for ever: programs of other versions use them too. */
const TURNS = { preparing: 6_210_002, drawingSamples: 6_210_003 } as const;

/**
 * Runs `act` while no other program on the same database does the same; `onWait` is called when one does now. A program that
 * dies, or is cut off for half a minute, frees the turn. Returns and throws what `act` does.
 */
export async function underLock<Result>(
  database: Pick<Database, "db" | "isEmbedded">,
  turn: keyof typeof TURNS,
  act: () => Promise<Result>,
  onWait: () => void = () => {},
): Promise<Result> {
  // There is no other program, and the one connection is needed by `act`.
  if (database.isEmbedded) return act();
  return database.db.connection().execute(async (connection) => {
    await take(connection, TURNS[turn], onWait);
    try {
      return await act();
    } finally {
      // A connection that is gone has freed it already.
      await sql`select pg_advisory_unlock(${TURNS[turn]})`.execute(connection).catch(() => {});
    }
  });
}

async function take(connection: Kysely<Tables>, turn: number, onWait: () => void): Promise<void> {
  const { rows } = await sql<{ isFree: boolean }>`select pg_try_advisory_lock(${turn}) as "isFree"`.execute(connection);
  if (rows[0]!.isFree) return;
  onWait();
  await sql`select pg_advisory_lock(${turn})`.execute(connection);
}
