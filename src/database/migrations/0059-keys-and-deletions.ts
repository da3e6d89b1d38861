import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await moveKeysOfJobs(db);
  await sql`alter table doomed_files add column claimed_until timestamptz(3)`.execute(db);
}

/** A job keeps its key as long as it exists. `answer` is null for jobs, too. */
async function moveKeysOfJobs(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotent_requests add column job_id uuid references jobs on delete cascade`.execute(db);
  await sql`create index idempotent_requests_job on idempotent_requests (job_id)`.execute(db);
  // Unanswered requests cannot end on this version. The job replaces the kept answer of its creation.
  await sql`delete from idempotent_requests
    where answer is null or idempotency_key in (select idempotency_key from job_requests)`.execute(db);
  await sql`insert into idempotent_requests (account_id, idempotency_key, digest, job_id, created_at)
    select jobs.created_by, request.idempotency_key, request.digest, request.job_id, request.created_at
    from job_requests as request join jobs on jobs.id = request.job_id
    where jobs.created_by is not null`.execute(db);
  await sql`drop table job_requests`.execute(db);
}
