import type { Context } from "../context.ts";

/** A folder that cannot be reached for a while must not seem new when it is back. */
const KEPT_DAYS = 180;
const DAY_MS = 86_400_000;

/** Forgets files that their folder has not had for 180 days. */
export async function forgetWatchFiles(context: Pick<Context, "db">, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
  await context.db.deleteFrom("watch_files").where("missing_since", "<", oldest).execute();
}
