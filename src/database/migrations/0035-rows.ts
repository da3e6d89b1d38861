import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** As in migration 0022. */
const LIGHT_BYTES = 16 * 1024;

const statements = [
  // json keeps the order of the table's columns.
  `alter table job_videos add column row_settings jsonb, add column row_pass json, add column row_name text`,
  `alter table jobs add column row_bytes integer`,
  `create or replace function measure_lists() returns trigger language plpgsql as $$
  begin
    new.omitted_bytes := (select bytes from (select ${["input_videos", "custom_captions", "custom_audio_links"]
      .map((list) => `octet_length(array_to_json(new.${list})::text)`)
      .join(" + ")} + coalesce(new.row_bytes, 0) as bytes) as sizes where bytes > ${LIGHT_BYTES});
    return new;
  end $$`,
  `drop trigger measure_lists on jobs`,
  `create trigger measure_lists
    before insert or update of input_videos, custom_captions, custom_audio_links, row_bytes on jobs
    for each row execute function measure_lists()`,
];
