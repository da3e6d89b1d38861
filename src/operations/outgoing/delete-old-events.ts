import type { Context } from "../context.ts";

const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Deletes events older than 30 days with their deliveries, also those that wait for a webhook that is turned off. */
export async function deleteOldEvents({ db }: Pick<Context, "db">, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
  await db.deleteFrom("outgoing_events").where("created_at", "<", oldest).execute();
}
