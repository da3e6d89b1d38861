import { type Kysely, sql } from "kysely";

/** As in migration 0020: the size of captions in a search text. */
const CAPTION_BYTES = 8_192;

/** One caption per line. `videos` has the columns of job_videos. */
const captionsOf = (videos: string, where = "true") => `(
    select job_id, string_agg(E'\\n' || lower(caption), '' order by position, place) as captions
    from ${videos} as videos, jsonb_array_elements_text(
      case when jsonb_typeof(row_settings -> 'custom_captions') = 'array' then row_settings -> 'custom_captions' end
    ) with ordinality as texts (caption, place)
    where ${where} group by job_id
  ) as added`;

const ADD = (videos: string) => `update job_search
    set search_text = search_text || cut_to_bytes(added.captions, ${CAPTION_BYTES} - octet_length(search_text))
    from ${captionsOf(videos)}
    where job_search.job_id = added.job_id and octet_length(search_text) < ${CAPTION_BYTES}`;

/** Jobs are also found by their rows' own captions, which never change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    ADD("job_videos"),
    `create function note_row_captions() returns trigger language plpgsql as $$
    begin
      ${ADD("added_videos")};
      return null;
    end $$`,
    `create trigger note_row_captions after insert on job_videos referencing new table as added_videos
      for each statement execute function note_row_captions()`,
    `create or replace function renew_search_text() returns trigger language plpgsql as $$
    begin
      update job_search set search_text = lower(new.job_name || E'\\n') || cut_to_bytes(
        lower(array_to_string(new.custom_captions[1:${CAPTION_BYTES}], E'\\n'))
          || coalesce((select captions from ${captionsOf("job_videos", "job_id = new.id")}), ''), ${CAPTION_BYTES})
      where job_id = new.id;
      return null;
    end $$`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
