import type { Context } from "../context.ts";

/** Time in which an operator can see why a program stopped working. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Deletes tokens that expired more than 30 days ago. */
export async function deleteExpiredTokens(context: Pick<Context, "db">, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
  await context.db.deleteFrom("api_tokens").where("expires_at", "<", oldest).execute();
}
