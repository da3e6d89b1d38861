import { type RawBuilder, sql } from "kysely";
import { DEFAULT_RETENTION_DAYS } from "#contract/settings/settings.ts";
import type { Context } from "../context.ts";

/** For an ended job's files; null is unlimited. */
export function retentionDays(): RawBuilder<number | null> {
  return sql<number | null>`(select nullif(coalesce(min(value), ${String(DEFAULT_RETENTION_DAYS)}), 'null')::int
    from settings where name = 'output_retention_days')`;
}

export async function readRetentionDays(context: Pick<Context, "db">): Promise<number | null> {
  const { days } = await context.db.selectNoFrom(retentionDays().as("days")).executeTakeFirstOrThrow();
  return days;
}
