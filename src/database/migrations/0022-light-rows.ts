import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...omitted, ...notices]) await sql.raw(statement).execute(db);
}

/** Rows include lists up to this size in JSON. */
const LIGHT_BYTES = 16 * 1024;

const jsonBytes = (list: string) => `octet_length(array_to_json(${list})::text)`;
const omittedBytes = (row: string) =>
  `(select bytes from (select ${["input_videos", "custom_captions", "custom_audio_links"]
    .map((list) => jsonBytes(`${row}.${list}`))
    .join(" + ")} as bytes) as sizes where bytes > ${LIGHT_BYTES})`;

/** Measuring in a query would read the lists, far longer than the rest of the row. */
const omitted = [
  `alter table jobs add column omitted_bytes integer`,
  `update jobs set omitted_bytes = ${omittedBytes("jobs")} where ${omittedBytes("jobs")} is not null`,
  `create function measure_lists() returns trigger language plpgsql as $$
  begin
    new.omitted_bytes := ${omittedBytes("new")};
    return new;
  end $$`,
  `create trigger measure_lists before insert or update of input_videos, custom_captions, custom_audio_links on jobs
    for each row execute function measure_lists()`,
];

/** Reads only ids and statuses: a job's row may be megabytes, and its progress changes several times a second. */
const notices = [
  `create or replace function notify_change() returns trigger language plpgsql as $$
  declare
    touched_id uuid := case when TG_OP = 'DELETE' then old.id else new.id end;
    touched_job uuid := touched_id;
    is_progress boolean := false;
  begin
    if TG_TABLE_NAME <> 'jobs' then
      touched_job := case when TG_OP = 'DELETE' then old.job_id else new.job_id end;
    end if;
    if TG_OP = 'UPDATE' then
      is_progress := old.status = new.status;
    end if;
    perform pg_notify('clipmill_changes', json_build_object(
      'table', TG_TABLE_NAME, 'op', TG_OP, 'id', touched_id, 'job_id', touched_job, 'isProgress', is_progress)::text);
    return null;
  end $$`,
];
