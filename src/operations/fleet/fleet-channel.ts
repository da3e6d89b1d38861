import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

/** Workers listen here; the payload is the id of the worker that was told something, or EVERYONE. */
export const FLEET_CHANNEL = "clipmill_fleet";
export const EVERYONE = "everyone";

/** Tells one worker, or all, to read again what they were told to do. */
export async function notifyFleet(db: Kysely<Tables>, to: string): Promise<void> {
  await sql`select pg_notify(${FLEET_CHANNEL}, ${to})`.execute(db);
}
