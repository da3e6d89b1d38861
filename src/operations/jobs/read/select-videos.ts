import { type Kysely, type Selectable, sql } from "kysely";
import type { JobRow, JobSettings } from "#contract/job-settings/job-settings.ts";
import { clipName, type Combination, partField } from "#contract/jobs/assemblies/slots.ts";
import { bytesOfRows } from "#contract/jobs/rows.ts";
import type { JobVideosTable, Tables } from "#database/tables.ts";
import { type ColumnSources, type ColumnType, selectColumns } from "../../select-columns.ts";

export const VIDEO_COLUMNS = {
  id: "uuid",
  job_id: "uuid",
  position: "integer",
  link: "text",
  name: "text",
  clips: "list",
  status: "text",
  stage: "text",
  progress: "number",
  attempts: "integer",
  error_message: "text",
  error_code: "text",
  error_step: "text",
  error_tail: "text",
  waits_for: "text",
  waiting_since: "time",
  next_try_at: "computed",
  duration_seconds: "number",
  started_at: "time",
  ended_at: "time",
  updated_at: "time",
  created_at: "time",
} as const satisfies Record<string, ColumnType>;

const nextTryAt = sql<
  string | null
>`coalesce((select cools_until from hosts where host = waits_for), job_videos.next_try_at)`;

export const VIDEOS: ColumnSources = { expressions: { next_try_at: nextTryAt }, parts: {} };

type SelectedVideo = Pick<Selectable<JobVideosTable>, keyof typeof VIDEO_COLUMNS>;

/** In no order. For a video that waits for a cooling host, `next_try_at` is the end of the cooldown. */
export function selectVideos(db: Kysely<Tables>) {
  return selectColumns<SelectedVideo>(db, "job_videos", Object.keys(VIDEO_COLUMNS), VIDEOS);
}

/** `combinations` are those of the job's slots, empty without slots. */
export function toStoredRows(
  { input_videos: links, rows, slots }: Pick<JobSettings, "input_videos" | "rows" | "slots">,
  combinations: readonly Combination[],
) {
  if (slots.length > 0) {
    return combinations.map((clips, position) => ({
      position,
      link: slots[0]!.clips[clips[0]!]!.link,
      clips,
      row_pass: JSON.stringify(
        Object.fromEntries(slots.map((slot, i) => [partField(slot.name), clipName(slot, clips[i]!)])),
      ),
    }));
  }
  return links.map((link, position) => {
    const { settings, pass, name } = rows[position] ?? {};
    return {
      position,
      link,
      row_settings: settings ? JSON.stringify(settings) : null,
      row_pass: pass ? JSON.stringify(pass) : null,
      row_name: name ?? null,
    };
  });
}

export function rowBytes(rows: readonly JobRow[]): number | null {
  return rows.length === 0 ? null : bytesOfRows(rows);
}

export const ROWS_EXPRESSION = sql<StoredRow[] | null>`case when jobs.row_bytes is null then '[]'::json else (
  select json_agg(
    json_build_object('link', link, 'settings', row_settings, 'pass', row_pass, 'name', row_name) order by position)
  from job_videos where job_videos.job_id = jobs.id
) end`;

export type StoredRow = { [Part in keyof JobRow]-?: JobRow[Part] | null } & { link: string };

export function toRows(stored: readonly StoredRow[]): JobRow[] {
  return stored.map(({ link, settings, pass, name }) => ({
    link,
    ...(settings && { settings }),
    ...(pass && { pass }),
    ...(name && { name }),
  }));
}
