import { OPEN_DELIVERY } from "#contract/destinations/deliveries.ts";
import { isFinal, type JobStatus } from "#contract/jobs/jobs.ts";
import type { Context } from "../context.ts";
import { isDelivering } from "../deliveries/start-deliveries.ts";
import { scheduleFileDeletion, deleteScheduledFiles } from "../jobs/delete-jobs.ts";
import { lockJob } from "../jobs/lock-job.ts";
import { readRetentionDays } from "./read-retention-days.ts";

const ENDED: JobStatus[] = ["Completed", "Failed", "Cancelled"];
const DAY_MS = 86_400_000;
const BATCH = 100;

/**
 * Keeps jobs, history, and files that are being delivered. Returns the number of jobs. Storage failures are retried
 * with the next deletion.
 */
export async function deleteOldFiles(context: Pick<Context, "db" | "storage">, now: Date): Promise<number> {
  const days = await readRetentionDays(context);
  const deleted = days === null ? 0 : await scheduleOldFiles(context, days, now);
  // Includes files that earlier deletions left.
  await deleteScheduledFiles(context);
  return deleted;
}

async function scheduleOldFiles(context: Pick<Context, "db">, days: number, now: Date): Promise<number> {
  const endedBefore = new Date(now.getTime() - days * DAY_MS).toISOString();
  let deleted = 0;
  for (;;) {
    const old = await findOld(context, endedBefore);
    for (const { id } of old) if (await deleteFiles(context, id, now)) deleted += 1;
    if (old.length < BATCH) return deleted;
  }
}

function findOld(context: Pick<Context, "db">, endedBefore: string): Promise<{ id: string }[]> {
  return (
    context.db
      .selectFrom("jobs")
      .select("id")
      .where("status", "in", ENDED)
      // The time of the end: no update follows a final status.
      .where("updated_at", "<", endedBefore)
      .where("files_deleted_at", "is", null)
      // A delivery ends within days: it waits for its destination at most 24 hours without progress.
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom("deliveries")
              .select("deliveries.id")
              .whereRef("deliveries.job_id", "=", "jobs.id")
              .where("deliveries.status", "in", OPEN_DELIVERY),
          ),
        ),
      )
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("job_outputs")
            .select("job_outputs.id")
            .whereRef("job_outputs.job_id", "=", "jobs.id")
            .where("storage_key", "is not", null),
        ),
      )
      .orderBy("updated_at")
      .limit(BATCH)
      .execute()
  );
}

/** False if the job was deleted or retried since. */
function deleteFiles(context: Pick<Context, "db">, id: string, now: Date): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, id);
    if (!job || !isFinal(job.status) || (await isDelivering(trx, id))) return false;
    const emptied = await trx
      .updateTable("jobs")
      .set({ files_deleted_at: now.toISOString() })
      .where("id", "=", id)
      .where("files_deleted_at", "is", null)
      .returning(["id", "output_folder"])
      .executeTakeFirst();
    if (!emptied) return false;
    await trx
      .updateTable("job_outputs")
      .set({ storage_key: null, thumbnail_key: null, cover: null })
      .where("job_id", "=", id)
      .execute();
    await trx.deleteFrom("output_subtitles").where("job_id", "=", id).execute();
    await scheduleFileDeletion(trx, emptied);
    return true;
  });
}
