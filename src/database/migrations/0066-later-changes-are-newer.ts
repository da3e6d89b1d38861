import { type Kysely, sql } from "kysely";

/**
 * `now()` is a transaction's start. One that waited for a lock would make a row look older than the change before it,
 * and pages, which keep the newest row that they know, would drop it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create function make_newer() returns trigger language plpgsql as $$
    begin
      new.updated_at := old.updated_at + interval '1 ms';
      return new;
    end $$`,
    ...["jobs", "job_videos", "job_outputs"].map(
      (table) => `create trigger make_newer before update on ${table}
        for each row when (new.updated_at = now()::timestamptz(3) and new.updated_at < old.updated_at)
        execute function make_newer()`,
    ),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
