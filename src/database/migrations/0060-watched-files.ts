import { type Kysely, sql } from "kysely";

/** Makes checks of watch folders equally fast, however many files Clipmill has delivered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DELIVERED).execute(db);
}

/** By name, not by the output's size: of a join, the embedded database, which has no statistics, would scan a table. */
const DELIVERED = `create index delivery_files_by_delivered_name on delivery_files (regexp_replace(target_path, '^.*/', ''))`;
