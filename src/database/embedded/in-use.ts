import { type Kysely, sql } from "kysely";
import type { Client } from "pg";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "../tables.ts";

/** Never change the number: other versions use it too. */
const IN_USE = 6_210_004;

/** Lasts as long as the connection. Throws ClipmillError "conflict" while a command has exclusive access. */
export async function markInUse(client: Pick<Client, "query">): Promise<void> {
  const { rows } = await client.query<{ shown: boolean }>("select pg_try_advisory_lock_shared($1) as shown", [IN_USE]);
  if (!rows[0]!.shown) {
    throw new ClipmillError("conflict", "A maintenance command is using the database. Try again when it has finished.");
  }
}

type WithSession = <Result>(act: (connection: Kysely<Tables>) => Promise<Result>) => Promise<Result>;

/** Throws ClipmillError "conflict" if a server or worker uses the database. */
export async function withExclusiveAccess<Result>(
  database: { withSession: WithSession },
  act: () => Promise<Result>,
): Promise<Result> {
  return database.withSession(async (connection) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_lock(${IN_USE}) as free`.execute(connection);
    if (!rows[0]!.free) {
      throw new ClipmillError(
        "conflict",
        "Servers or workers are using this database. Stop all of them, run this command, then start them again.",
      );
    }
    try {
      return await act();
    } finally {
      await sql`select pg_advisory_unlock(${IN_USE})`.execute(connection).catch(() => {});
    }
  });
}
