import { type Kysely, type Selectable, sql } from "kysely";
import type { JobVideosTable, Tables } from "#database/tables.ts";
import { type ColumnSources, type ColumnType, selectColumns } from "../../select-columns.ts";

export const VIDEO_COLUMNS = {
  id: "uuid",
  job_id: "uuid",
  position: "integer",
  link: "text",
  name: "text",
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
>`coalesce((select rests_until from hosts where host = waits_for), job_videos.next_try_at)`;

export const VIDEOS: ColumnSources = { expressions: { next_try_at: nextTryAt }, parts: {} };

type SelectedVideo = Pick<Selectable<JobVideosTable>, keyof typeof VIDEO_COLUMNS>;

/** In no order. For a video that waits for a resting host, `next_try_at` is the end of the rest. */
export function selectVideos(db: Kysely<Tables>) {
  return selectColumns<SelectedVideo>(db, "job_videos", Object.keys(VIDEO_COLUMNS), VIDEOS);
}
