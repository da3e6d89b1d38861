import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...proofs, ...search, ...guests]) await sql.raw(statement).execute(db);
}

const proofs = [
  `alter table jobs add column proof_state text check (proof_state in ('making', 'waiting', 'approved', 'stopped'))`,
  `alter table job_videos
    add column proof_variants integer[],
    add column samples_ended_at timestamptz(3),
    add column earlier_attempts integer not null default 0`,
  // Files from before a change of the job, kept until it ends.
  `create table job_kept_files (
    job_id uuid not null references jobs on delete cascade,
    content_key text not null,
    storage_key text not null,
    thumbnail_key text not null,
    duration_seconds double precision not null,
    width integer not null,
    height integer not null,
    size_bytes bigint not null,
    crc32 bigint not null,
    sha256 text,
    conformance jsonb,
    warnings jsonb not null,
    primary key (job_id, content_key)
  )`,
];

/** As in migration 0014. */
const CAPTION_BYTES = 8_192;

const search = [
  `create function renew_search_text() returns trigger language plpgsql as $$
  begin
    update job_search set search_text = lower(new.job_name || E'\\n') ||
      cut_to_bytes(lower(array_to_string(new.custom_captions[1:${CAPTION_BYTES}], E'\\n')), ${CAPTION_BYTES})
    where job_id = new.id;
    return null;
  end $$`,
  `create trigger renew_search_text after update of job_name, custom_captions on jobs
    for each row execute function renew_search_text()`,
];

const guests = [
  `create table guest_links (
    id uuid primary key default gen_random_uuid(),
    job_id uuid not null references jobs on delete cascade,
    digest text not null unique,
    can_approve boolean not null,
    expires_at timestamptz(3) not null,
    revoked_at timestamptz(3),
    created_by uuid references accounts on delete set null,
    last_seen_at timestamptz(3),
    created_at timestamptz(3) not null default now()
  )`,
  `create index guest_links_by_job on guest_links (job_id)`,
  `create table guest_comments (
    id uuid primary key default gen_random_uuid(),
    job_id uuid not null references jobs on delete cascade,
    link_id uuid not null references guest_links on delete cascade,
    author text not null,
    message text,
    is_approval boolean not null,
    created_at timestamptz(3) not null default now()
  )`,
  `create index guest_comments_by_job on guest_comments (job_id, created_at)`,
  `create index guest_comments_by_link on guest_comments (link_id)`,
];
