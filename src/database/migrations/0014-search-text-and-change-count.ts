import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...search, ...changeCount]) await sql.raw(statement).execute(db);
}

const CAPTION_BYTES = 8_192;
/** The size below which source names are added, and output names. */
const SOURCE_BYTES = 98_304;
const OUTPUT_BYTES = 32_768;

const FIRST_TEXT = `lower(job_name || E'\\n') ||
  cut_to_bytes(lower(array_to_string(custom_captions[1:${CAPTION_BYTES}], E'\\n')), ${CAPTION_BYTES})`;

const namesOf = (outputs: string) => `(
    select outputs.job_id, lower(string_agg(distinct E'\\n' || videos.name, '')) as sources,
      lower(string_agg(E'\\n' || outputs.name, '' order by outputs.name)) as outputs
    from ${outputs} as outputs join job_videos as videos on videos.id = outputs.video_id
    group by outputs.job_id
  ) as names`;
const WITH_NAMES = `search_text
    || cut_to_bytes(coalesce(names.sources, ''), ${SOURCE_BYTES} - octet_length(search_text))
    || cut_to_bytes(names.outputs, ${OUTPUT_BYTES} - octet_length(search_text))`;

/**
 * A separate table: a job's row changes several times a second, and each version that does not fit on its page would
 * index the text again.
 */
const search = [
  `create function cut_to_bytes(content text, most integer) returns text language plpgsql immutable as $$
  begin
    if most <= 0 then return ''; end if;
    -- No more characters than bytes; then in proportion, until it fits.
    content := left(content, most);
    while octet_length(content) > most loop
      content := left(content, (length(content)::bigint * most / octet_length(content))::integer);
    end loop;
    return content;
  end $$`,
  `create table job_search (
    job_id uuid primary key references jobs on delete cascade,
    search_text text not null,
    -- The job's: a search finds and counts its jobs here alone.
    created_at timestamptz(3) not null
  )`,
  `insert into job_search (job_id, search_text, created_at) select id, ${FIRST_TEXT}, created_at from jobs`,
  `update job_search set search_text = ${WITH_NAMES}
    from ${namesOf("job_outputs")} where job_search.job_id = names.job_id`,
  `create function note_search_text() returns trigger language plpgsql as $$
  begin
    insert into job_search (job_id, search_text, created_at)
    select id, ${FIRST_TEXT}, created_at from (select new.*) as job;
    return null;
  end $$`,
  `create trigger note_search_text after insert on jobs for each row execute function note_search_text()`,
  // Per statement, because all outputs of a video are planned together.
  `create function note_file_names() returns trigger language plpgsql as $$
  begin
    update job_search set search_text = ${WITH_NAMES}
    from ${namesOf("added")}
    where job_search.job_id = names.job_id and octet_length(search_text) < ${SOURCE_BYTES};
    return null;
  end $$`,
  `create trigger note_file_names after insert on job_outputs referencing new table as added
    for each statement execute function note_file_names()`,
  // The server may lack the extension or the privilege to create it; searches then scan all texts.
  `do $$ begin
    create extension if not exists pg_trgm;
    create index job_search_text on job_search using gin (search_text gin_trgm_ops);
  exception when others then
    raise notice 'Clipmill searches without an index: %', sqlerrm;
  end $$`,
  `create index job_search_newest on job_search (created_at desc, job_id desc)`,
  `drop index if exists jobs_by_name`,
];

/** A published version stores how many changes it includes. */
const changeCount = [
  `create table cloak_changes (
    id integer primary key check (id = 1),
    changes bigint not null,
    -- How many of them the redirector has taken.
    published bigint not null
  )`,
  `insert into cloak_changes values (1, 0, 0)`,
  // Null for a version published again: it has the tables as of then.
  `alter table published_versions add column changes bigint`,
  `update published_versions set changes = 0`,
];
