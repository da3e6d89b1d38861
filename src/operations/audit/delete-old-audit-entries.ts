import type { Context } from "../context.ts";

const KEPT_DAYS = 180;
const DAY_MS = 86_400_000;

/** Deletes audit entries older than 180 days. */
export async function deleteOldAuditEntries(context: Pick<Context, "db">, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
  await context.db.deleteFrom("audit_entries").where("created_at", "<", oldest).execute();
}
