import { type Kysely, sql } from "kysely";

/** The place of each slot's clip, from 0; null for a video that is not assembled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_videos add column clips integer[]`.execute(db);
}
