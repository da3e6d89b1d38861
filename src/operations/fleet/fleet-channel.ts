import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

/** Workers listen on this channel; the payload is the id of the worker with new orders, or EVERYONE. */
export const FLEET_CHANNEL = "clipmill_fleet";
export const EVERYONE = "everyone";

/** Notifies one worker, or all, to read their orders again. */
export async function notifyFleet(db: Kysely<Tables>, to: string): Promise<void> {
  await sql`select pg_notify(${FLEET_CHANNEL}, ${to})`.execute(db);
}
