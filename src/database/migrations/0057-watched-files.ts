import { type Kysely, sql } from "kysely";

/** Makes checks of watch folders equally fast, however many files Clipmill has delivered or taken before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [DELIVERED, CURRENT]) await sql.raw(statement).execute(db);
}

/** By name instead of size: the embedded database has no statistics and would scan one of the joined tables. */
const DELIVERED = `create index delivery_files_by_delivered_name on delivery_files (regexp_replace(target_path, '^.*/', ''))`;

/** Excludes files that have left their folder, which stay on record for months. */
const CURRENT = `create index watch_files_current on watch_files (folder_id) where missing_since is null or state = 'seen'`;
