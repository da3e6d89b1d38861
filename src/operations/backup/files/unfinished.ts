/**
 * The mark of a database that an installation is being brought into. It stands from before the first file until the rows are
 * there, so that what was broken off in between is not taken for an empty installation, and started as a new one.
 */
import { type Kysely, sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";

/** A schema of its own: the database has to stay without any table of Clipmill's. */
const MARK = "clipmill_unfinished";

export type BringsIn = "clipmill restore" | "clipmill move";

/**
 * Runs `act` under the mark. It is for `act` to take it away in the transaction that makes the installation whole. A kill
 * leaves it, and so does a failure after which running it again may do, such as a full disk.
 */
export async function whileUnfinished<Result>(
  db: Kysely<Tables>,
  command: BringsIn,
  act: () => Promise<Result>,
): Promise<Result> {
  await db.transaction().execute(async (trx) => {
    await sql`create schema if not exists ${sql.id(MARK)}`.execute(trx);
    await sql`comment on schema ${sql.id(MARK)} is ${sql.lit(command)}`.execute(trx);
  });
  try {
    return await act();
  } catch (error) {
    if (error instanceof ClipmillError && !error.mayPass) await forgetUnfinished(db);
    throw error;
  }
}

/** Takes the mark away. */
export async function forgetUnfinished(db: Kysely<Tables>): Promise<void> {
  await sql`drop schema if exists ${sql.id(MARK)}`.execute(db);
}

/**
 * Throws ClipmillError "conflict" when an installation was not brought in to its end. `toBeginAnew` says what to do for an
 * empty one instead.
 */
export async function requireFinished(db: Kysely<Tables>, toStartOver: string): Promise<void> {
  const { rows } = await sql<{ command: string | null }>`
    select obj_description(oid, 'pg_namespace') as command from pg_namespace where nspname = ${MARK}`.execute(db);
  if (!rows[0]) return;
  throw new ClipmillError(
    "conflict",
    `\`${rows[0].command}\` into this installation has not finished. If it was interrupted, run it again before this. To start with an empty installation instead, ${toStartOver} first.`,
  );
}
