import { sql, type Transaction } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * Serializes changes of the table's rows until the transaction ends, so that checks against other rows (unique names,
 * limits) hold. Call it before locking any row. Locking the table instead could deadlock with a transaction that holds
 * a row and then writes it.
 */
export async function lockChanges(trx: Transaction<Tables>, table: keyof Tables): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`changes of ${table}`}, 0))`.execute(trx);
}
