import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { hasNoTables } from "./kept-tables.ts";

/** Throws ClipmillError "conflict" unless the database is empty. */
export async function requireEmpty(db: Kysely<Tables>): Promise<void> {
  if (await hasNoTables(db)) return;
  throw new ClipmillError(
    "conflict",
    "The database is not empty. A backup can be restored, or an installation moved, only into an empty one. Nothing was changed.",
  );
}
