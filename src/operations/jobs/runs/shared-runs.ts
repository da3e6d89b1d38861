/** Runs of one video that other workers encode. */
import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { RunTask } from "#queue/open-queue.ts";
import type { Context } from "../../context.ts";
import { isClaiming } from "../../fleet/list-workers.ts";

/** The payload is a task's id: its run is stored, or another worker could not encode it. */
export const RUN_CHANNEL = "clipmill_runs";

/** Longer than any render. Then the files of a killed worker are deleted. */
const KEPT_HOURS = 24;

type Attempt = { videoId: string; attempt: number };

/** Of storage keys: files that workers exchange while they encode a video. */
export function runsFolderOf({ jobId, videoId }: { jobId: string; videoId: string }): string {
  return `runs/${jobId}/${videoId}`;
}

/** True if a worker with all `labels`, other than `workerId`, takes tasks and has none. */
export async function hasIdleWorker(
  { db }: Pick<Context, "db">,
  { workerId, labels }: { workerId: string; labels: readonly string[] },
): Promise<boolean> {
  const found = await db
    .selectFrom("workers")
    .select("id")
    .where("id", "!=", workerId)
    .where("token_id", "is", null)
    .where(isClaiming)
    .where(sql<boolean>`doing = '{}' and caption_videos = 0 and labels @> ${[...labels]}::text[]`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** False if the video has ended or belongs to a later attempt, or its job is stopping. */
export async function isCurrentAttempt(db: Kysely<Tables>, { videoId, attempt }: Attempt): Promise<boolean> {
  const found = await db
    .selectFrom("job_videos")
    .innerJoin("jobs", "jobs.id", "job_videos.job_id")
    .select("job_videos.id")
    .where("job_videos.id", "=", videoId)
    .where("job_videos.attempts", "=", attempt)
    .where("job_videos.status", "=", "Processing")
    .where("jobs.status", "=", "Processing")
    .executeTakeFirst();
  return found !== undefined;
}

/** Before the first file is stored, so that a crash leaves none behind. */
export async function keepRunFiles({ db }: Pick<Context, "db">, folder: string): Promise<void> {
  const until = sql<string>`now() + make_interval(hours => ${KEPT_HOURS})`;
  await db
    .insertInto("pending_file_deletions")
    .values({ prefix: folder, claimed_until: until })
    .onConflict((row) => row.column("prefix").doUpdateSet({ claimed_until: until }))
    .execute();
}

export async function hasRunFiles({ db }: Pick<Context, "db">, folder: string): Promise<boolean> {
  const kept = db.selectFrom("pending_file_deletions").select("prefix").where("prefix", "=", folder);
  return (await kept.executeTakeFirst()) !== undefined;
}

/**
 * Keeps them for a later attempt at the video, and with `isHandedBack` for this one's next worker, unless the job is
 * stopping. If the storage fails, housekeeping deletes them later.
 */
export async function removeRunFiles(
  { db, storage }: Pick<Context, "db" | "storage">,
  { jobId, videoId, attempt }: Attempt & { jobId: string },
  { isHandedBack }: { isHandedBack: boolean },
): Promise<void> {
  const folder = runsFolderOf({ jobId, videoId });
  const scheduled = await db
    .updateTable("pending_file_deletions")
    .set({ claimed_until: null })
    .where("prefix", "=", folder)
    .where(
      sql<boolean>`exists (select from job_videos video join jobs job on job.id = video.job_id
        where video.id = ${videoId} and video.attempts = ${attempt} and (${!isHandedBack} or job.status <> 'Processing'))`,
    )
    .returning("prefix")
    .executeTakeFirst();
  if (!scheduled) return;
  await storage.removeAll(folder);
  await db.deleteFrom("pending_file_deletions").where("prefix", "=", folder).execute();
}

export async function enqueueRuns({ db, queue }: Pick<Context, "db" | "queue">, tasks: RunTask[]): Promise<void> {
  await db.transaction().execute((trx) => queue.runs.enqueue(trx, tasks));
}

/** Returns false if another worker has the task, or has ended it. */
export function takeBackRun({ db, queue }: Pick<Context, "db" | "queue">, taskId: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => (await queue.runs.cancelWaiting(trx, [taskId])).length > 0);
}

export function isRunOpen({ db, queue }: Pick<Context, "db" | "queue">, taskId: string): Promise<boolean> {
  return db.transaction().execute((trx) => queue.runs.isOpen(trx, taskId));
}

/** Also stops the workers that have them. */
export async function cancelRuns({ db, queue }: Pick<Context, "db" | "queue">, taskIds: string[]): Promise<void> {
  await db.transaction().execute((trx) => queue.runs.cancel(trx, taskIds));
}

export async function noteRunEnded({ db }: Pick<Context, "db">, taskId: string): Promise<void> {
  await sql`select pg_notify(${RUN_CHANNEL}, ${taskId})`.execute(db);
}
