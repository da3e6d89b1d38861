import { sql } from "kysely";
import { COUNTED_SETTINGS } from "#contract/jobs/outputs/count-files.ts";
import { countWork, WORK_SETTINGS, type WorkSettings } from "#contract/jobs/outputs/count-work.ts";
import { type MeasuredWork, measureWork } from "#contract/jobs/outputs/measured-work.ts";
import { withSwitches } from "#contract/jobs/video-settings.ts";
import type { Context } from "../../context.ts";
import { isClaiming } from "../../fleet/list-workers.ts";
import { selectColumns } from "../../select-columns.ts";
import { WHOLE_JOBS } from "./select-jobs.ts";

/** A sample shows the speed as well as all videos. */
const MEASURED_VIDEOS = 20;

/**
 * How fast the newest completed job was. Returns null without such a job, for one with too little work, and for one of
 * assembled videos, which share clips that only its plan knows.
 */
export async function readMeasuredWork({ db }: Pick<Context, "db">): Promise<MeasuredWork | null> {
  const columns = ["id", ...COUNTED_SETTINGS, ...WORK_SETTINGS];
  const job = await selectColumns<WorkSettings & { id: string }>(db, "jobs", columns, WHOLE_JOBS)
    .where("jobs.status", "=", "Completed")
    .orderBy("jobs.created_at", "desc")
    .orderBy("jobs.id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!job) return null;
  const videos = await db
    .selectFrom("job_videos")
    .select(["id", "link", "clips", "row_settings", "duration_seconds", "started_at", "ended_at"])
    .where("job_id", "=", job.id)
    .orderBy("position")
    .limit(MEASURED_VIDEOS)
    .execute();
  if (videos.some(({ clips }) => clips !== null)) return null;
  const outputs = await db
    .selectFrom("job_outputs")
    .select(["duration_seconds", "size_bytes"])
    .where(
      "video_id",
      "in",
      videos.map(({ id }) => id),
    )
    .execute();
  const { slots } = await db
    .selectFrom("workers")
    .select(sql<number>`coalesce(sum(concurrency), 0)::int`.as("slots"))
    .where(isClaiming)
    .executeTakeFirstOrThrow();
  const counted = videos.map(({ link, duration_seconds: durationSeconds, row_settings: row }) => ({
    link,
    durationSeconds,
    row: row && withSwitches(row),
  }));
  return measureWork(videos, outputs, countWork(job, counted), slots || null);
}
