/**
 * Marks a database until its rows are committed: an interrupted restore or move must not look like a new installation.
 */
import { type Kysely, sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";

/** A separate schema, because Clipmill's must stay empty. */
const MARK = "clipmill_unfinished";

export type ImportCommand = "clipmill restore" | "clipmill move";

/**
 * After a crash or a transient failure, such as a full disk, the marker stays. `act` removes it in the transaction that
 * completes the installation.
 */
export async function withUnfinishedMarker<Result>(
  db: Kysely<Tables>,
  command: ImportCommand,
  act: () => Promise<Result>,
): Promise<Result> {
  await db.transaction().execute(async (trx) => {
    await sql`create schema if not exists ${sql.id(MARK)}`.execute(trx);
    await sql`comment on schema ${sql.id(MARK)} is ${sql.lit(command)}`.execute(trx);
  });
  try {
    return await act();
  } catch (error) {
    if (error instanceof ClipmillError && !error.isRetryable) await clearUnfinished(db);
    throw error;
  }
}

/** Call it in the transaction that commits the rows. */
export async function clearUnfinished(db: Kysely<Tables>): Promise<void> {
  await sql`drop schema if exists ${sql.id(MARK)}`.execute(db);
}

/**
 * Throws ClipmillError "conflict" after an interrupted restore or move. `toStartOver` says how to empty the
 * installation.
 */
export async function requireFinished(db: Kysely<Tables>, toStartOver: string): Promise<void> {
  const { rows } = await sql<{ command: string | null }>`
    select obj_description(oid, 'pg_namespace') as command from pg_namespace where nspname = ${MARK}`.execute(db);
  if (!rows[0]) return;
  throw new ClipmillError(
    "conflict",
    `\`${rows[0].command}\` has not finished on this installation. If it was interrupted, run it again first. To start over with an empty installation instead, ${toStartOver}.`,
  );
}
