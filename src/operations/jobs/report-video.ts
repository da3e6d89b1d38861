import { type Selectable, sql, type Transaction } from "kysely";
import type { VideoStage } from "#contract/jobs.ts";
import type { JobsTable, Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { measureSpeed } from "./measure-speed.ts";
import { lockJob } from "./set-job-status.ts";

export type VideoReport = {
  jobId: string;
  videoId: string;
  attempt: number;
  stage: VideoStage;
  /** 0-1 over the whole video. */
  share: number;
  /** 0-1 by output id, for the outputs in the making. */
  outputs: ReadonlyMap<string, number>;
};

/** Writes how far a video is, and with it the job's progress: the share of encoded time over all its outputs. */
export async function reportVideo(context: Pick<Context, "db">, report: VideoReport): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    if (!(await lockJob(trx, report.jobId))) return;
    const claimed = await trx
      .updateTable("job_videos")
      .set({ stage: report.stage, progress: toPercent(report.share), updated_at: sql<string>`now()` })
      .where("id", "=", report.videoId)
      .where("attempts", "=", report.attempt)
      .where("status", "=", "Processing")
      .returning("id")
      .executeTakeFirst();
    if (!claimed) return;
    for (const [id, share] of report.outputs) {
      await trx
        .updateTable("job_outputs")
        .set({ status: "Processing", progress: toPercent(share), updated_at: sql<string>`now()` })
        .where("id", "=", id)
        .where("status", "in", ["Queued", "Processing"])
        .execute();
    }
    // A video whose length is not known yet weighs as much as the average of those that are. What a second attempt or a
    // longer video than thought takes back is not shown as a step back: the job waits there until it is made up for.
    const reported = await sql<Measured>`update jobs set updated_at = now(), progress = greatest(progress, (
        select sum(weight * progress) / nullif(sum(weight), 0) from (
          select progress, coalesce(duration_seconds, avg(duration_seconds) over (), 1) as weight
          from job_videos where job_id = ${report.jobId}
        ) videos))
      where id = ${report.jobId} and status = 'Processing'
      returning progress, speed, speed_measured_at, speed_measured_progress, now() as now`.execute(trx);
    if (reported.rows[0]) await noteSpeed(trx, report.jobId, reported.rows[0]);
  });
}

type Measured = Pick<Selectable<JobsTable>, "progress" | "speed" | "speed_measured_at" | "speed_measured_progress"> & {
  now: string;
};

async function noteSpeed(trx: Transaction<Tables>, jobId: string, job: Measured): Promise<void> {
  const { speed, speed_measured_at: measuredAt, speed_measured_progress: measuredProgress } = job;
  const before =
    measuredAt === null || measuredProgress === null
      ? null
      : { speed, measuredAtMs: Date.parse(measuredAt), progress: measuredProgress };
  const after = measureSpeed(before, job.progress, Date.parse(job.now));
  if (after === before) return;
  await trx
    .updateTable("jobs")
    .set({
      speed: after.speed,
      speed_measured_at: new Date(after.measuredAtMs).toISOString(),
      speed_measured_progress: after.progress,
    })
    .where("id", "=", jobId)
    .execute();
}

function toPercent(share: number): number {
  return Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 10;
}
