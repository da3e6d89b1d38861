import { type Kysely, sql } from "kysely";
import type { RowSettings } from "#contract/job-settings/job-settings.ts";
import type { Tables } from "#database/tables.ts";

const ROWS_AT_ONCE = 40;

/** Returns the row captions of the job's next waiting videos that have the same languages. */
export async function captionsOfNextRows(
  db: Kysely<Tables>,
  { jobId, position, row }: { jobId: string; position: number; row: RowSettings },
): Promise<string[]> {
  const languages = row.languages === undefined ? null : JSON.stringify(row.languages);
  const rows = await db
    .selectFrom("job_videos")
    .select(sql<string[]>`row_settings -> 'custom_captions'`.as("captions"))
    .where("job_id", "=", jobId)
    .where("position", ">", position)
    .where("status", "=", "Queued")
    .where(sql<boolean>`row_settings ? 'custom_captions'`)
    .where(sql<boolean>`row_settings -> 'languages' is not distinct from ${languages}::jsonb`)
    .orderBy("position")
    .limit(ROWS_AT_ONCE)
    .execute();
  return rows.flatMap(({ captions }) => captions);
}
