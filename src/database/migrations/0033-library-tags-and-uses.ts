import { type Kysely, sql } from "kysely";

const LINKS = sql`concat_ws(' ', array_to_string(input_videos || custom_audio_links, ' '), settings ->> 'watermark_image')`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table library_files add column tags text[] not null default '{}'`.execute(db);
  await sql`create table library_uses (
    file_id text not null references library_files (id) on delete cascade,
    job_id uuid not null references jobs (id) on delete cascade,
    primary key (file_id, job_id)
  )`.execute(db);
  await sql`insert into library_uses (file_id, job_id)
    select distinct library_files.id, jobs.id from jobs
    cross join regexp_matches(${LINKS}, 'clipmill\\.local/file/d/([A-Za-z0-9_-]+)', 'gi') as link
    join library_files on library_files.id = link[1]`.execute(db);
  // for the deletion of jobs
  await sql`create index library_uses_by_job on library_uses (job_id)`.execute(db);
}
