import { sql, type Transaction } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * Lets one change of the table's rows by accounts happen at a time until the transaction ends, so that checks against
 * the other rows (names in use, limits) hold. To be called before any row is locked. It does not lock the table itself:
 * who holds a row and then writes it would wait for the table, while the change waits for the row.
 */
export async function lockChanges(trx: Transaction<Tables>, table: keyof Tables): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`changes of ${table}`}, 0))`.execute(trx);
}
