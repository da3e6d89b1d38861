import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

const COLUMNS = [
  "id",
  "job_id",
  "position",
  "link",
  "name",
  "status",
  "stage",
  "progress",
  "attempts",
  "error_message",
  "error_code",
  "error_step",
  "error_tail",
  "waits_for",
  "waiting_since",
  "duration_seconds",
  "started_at",
  "ended_at",
  "updated_at",
  "created_at",
] as const;

export const nextTryAt = sql<
  string | null
>`coalesce((select rests_until from hosts where host = waits_for), job_videos.next_try_at)`;

/** In no order. For a video that waits for a resting host, `next_try_at` is the end of the rest. */
export function selectVideos(db: Kysely<Tables>) {
  return db.selectFrom("job_videos").select(COLUMNS).select(nextTryAt.as("next_try_at"));
}
