import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

/**
 * Returns unfinished jobs with links that match the pattern, newest first, and the distinct values of `part`, an
 * expression of `link`.
 */
export async function listJobLinks(
  db: Kysely<Tables>,
  { pattern, part }: { pattern: string; part: RawBuilder<string> },
): Promise<{ id: string; name: string; parts: string[] }[]> {
  const { rows } = await sql<{ id: string; name: string; parts: string[] }>`
    select jobs.id, jobs.job_name as name, array_agg(distinct ${part}) as parts
    from jobs, unnest(input_videos || custom_audio_links || array(
      select jsonb_array_elements_text(row_settings -> 'custom_audio_links')
      from job_videos where job_videos.job_id = jobs.id and row_settings ? 'custom_audio_links'
    ) || array(
      select distinct clip from job_videos,
        unnest(array[row_settings ->> 'intro_link', row_settings ->> 'outro_link', row_settings ->> 'subtitles']) as clip
      where job_videos.job_id = jobs.id and row_settings is not null and clip is not null
    ) || array_remove(array[jobs.settings ->> 'intro_link', jobs.settings ->> 'outro_link', jobs.settings ->> 'subtitles'], null)) as link
    where status in ('Queued', 'Processing', 'Cancelling') and btrim(link) ~* ${pattern}
    group by jobs.id order by jobs.created_at desc, jobs.id`.execute(db);
  return rows;
}
