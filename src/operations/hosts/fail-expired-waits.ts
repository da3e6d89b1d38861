import { sql } from "kysely";
import { MAX_WAIT_HOURS } from "#contract/sources/cooldowns.ts";
import type { Context } from "../context.ts";
import { finalizeJob } from "../jobs/finalize-job.ts";
import { lockJob } from "../jobs/lock-job.ts";
import { setJobStatus } from "../jobs/set-job-status.ts";

const MAX_WAIT_MS = MAX_WAIT_HOURS * 60 * 60 * 1000;
const GAVE_UP = `Gave up after waiting ${MAX_WAIT_HOURS} hours.`;

/** Fails tasks that have waited 24 hours, keeping the reason for the wait. */
export async function failExpiredWaits(context: Pick<Context, "db" | "queue">, nowMs: number): Promise<void> {
  const before = new Date(nowMs - MAX_WAIT_MS).toISOString();
  const jobs = await context.db
    .selectFrom("job_videos")
    .select("job_id")
    .distinct()
    .where("status", "=", "Queued")
    .where("waiting_since", "<", before)
    .execute();
  for (const { job_id: jobId } of jobs) await failVideos(context, jobId, before);
  for (const queue of Object.keys(TASKS) as (keyof typeof TASKS)[]) await failTasks(context, queue, before);
}

function failVideos(context: Pick<Context, "db" | "queue">, jobId: string, before: string): Promise<void> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId);
    // Jobs on hold never time out.
    if (!job || job.held_at !== null || (job.status !== "Queued" && job.status !== "Processing")) return;
    const waiting = await trx
      .selectFrom("job_videos")
      .select("id")
      .where("job_id", "=", jobId)
      .where("status", "=", "Queued")
      .where("waiting_since", "<", before)
      .execute();
    // A task just claimed gets one more try.
    const ids = await context.queue.videos.cancelWaiting(
      trx,
      waiting.map(({ id }) => id),
    );
    if (ids.length === 0) return;
    const reason = sql<string>`concat_ws(' ', ${GAVE_UP}::text, error_message)`;
    const ended = { status: "Failed", updated_at: sql<string>`now()` } as const;
    await trx
      .updateTable("job_videos")
      .set({ ...ended, error_message: reason, ended_at: sql<string>`now()` })
      .where("id", "=", sql<string>`any(${ids}::uuid[])`)
      .execute();
    await sql`update job_outputs set status = 'Failed', updated_at = now(), error_message = video.error_message,
        error_code = video.error_code, error_step = video.error_step
      from job_videos as video
      where video.id = video_id and video_id = any(${ids}::uuid[])
        and job_outputs.status in ('Queued', 'Processing')`.execute(trx);
    // A retried job with earlier files may become Completed, which is only allowed from Processing.
    if (job.status === "Queued") {
      await setJobStatus(context, trx, job, "Processing", { processing_started_at: sql<string>`now()` });
    }
    await finalizeJob(context, trx, { ...job, status: "Processing" });
  });
}

const TASKS = {
  captions: { table: "caption_tasks", hasEnd: false },
  deliveries: { table: "deliveries", hasEnd: true },
  // Their videos have waited about as long.
  transcripts: { table: "transcripts", hasEnd: false },
} as const;

async function failTasks(
  context: Pick<Context, "db" | "queue">,
  queue: keyof typeof TASKS,
  before: string,
): Promise<void> {
  const { table, hasEnd } = TASKS[queue];
  await context.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      update ${sql.table(table)}
      set status = 'Failed', error_message = concat_ws(' ', ${GAVE_UP}::text, error_message), updated_at = now()
        ${hasEnd ? sql`, ended_at = now()` : sql``}
      where status = 'Queued' and waiting_since < ${before}
      returning id`.execute(trx);
    await context.queue[queue].cancel(
      trx,
      rows.map(({ id }) => id),
    );
  });
}
