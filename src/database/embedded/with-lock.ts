import { type Kysely, sql } from "kysely";
import type { Database } from "../open-database.ts";
import type { Tables } from "../tables.ts";

/** Advisory locks. Never change the numbers: other versions use them. */
const TURNS = { preparing: 6_210_002, addingSamples: 6_210_003 } as const;

/**
 * Runs `act` under a lock shared by all programs on the database, calling `onWait` if it must wait. The lock of a
 * program that crashes, or is cut off for half a minute, is released.
 */
export async function withLock<Result>(
  database: Pick<Database, "withSession">,
  turn: keyof typeof TURNS,
  act: () => Promise<Result>,
  onWait: () => void = () => {},
): Promise<Result> {
  return database.withSession(async (connection) => {
    await take(connection, TURNS[turn], onWait);
    try {
      return await act();
    } finally {
      // A lost connection has already released it.
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
