import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

/** The payload is ALL_WORKERS, or the id of the worker that must read its orders again. */
export const FLEET_CHANNEL = "clipmill_fleet";
export const ALL_WORKERS = "everyone";

/** In a transaction, the notification is sent at the commit. */
export async function notifyFleet(db: Kysely<Tables>, to: string): Promise<void> {
  await sql`select pg_notify(${FLEET_CHANNEL}, ${to})`.execute(db);
}
