import { type Kysely, sql } from "kysely";

/**
 * A file that is made again loses its verdict, whatever the statement, because it leaves the status Completed first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_outputs
    add column verdict text check (verdict in ('approved', 'rejected')),
    add column reason text,
    add column reviewed_at timestamptz(3)`.execute(db);
  await sql`create function drop_verdict() returns trigger language plpgsql as $$
  begin
    new.verdict := null;
    new.reason := null;
    new.reviewed_at := null;
    return new;
  end $$`.execute(db);
  await sql`create trigger drop_verdict before update on job_outputs for each row
    when (new.reviewed_at is not null and new.status <> 'Completed') execute function drop_verdict()`.execute(db);
}
