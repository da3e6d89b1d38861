import { DEFAULT_RETENTION_DAYS } from "#contract/settings.ts";
import type { Context } from "../context.ts";

/** How many days the files of an ended job are kept; null for ever. */
export async function readRetentionDays(context: Pick<Context, "db">): Promise<number | null> {
  const saved = await context.db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", "output_retention_days")
    .executeTakeFirst();
  return saved ? (JSON.parse(saved.value) as number | null) : DEFAULT_RETENTION_DAYS;
}
