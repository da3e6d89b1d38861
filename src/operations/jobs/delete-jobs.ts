import type { Transaction } from "kysely";
import type { DeleteJobsResponse } from "#contract/calls.ts";
import { isFinal } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import type { Acting } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { foldersOf } from "./job-folders.ts";
import { lockJob } from "./set-job-status.ts";

const STILL_RUNNING = "The job is still running. Cancel it first.";

/**
 * Deletes ended jobs with all that belongs to them. Running ones are refused one by one, and cancelling them is not
 * done on the side; a job that is not there counts as deleted, so that asking again is no error. What storage does
 * not let go of now is removed with the next deletion.
 */
export async function deleteJobs(
  context: Pick<Context, "db" | "storage"> & Acting,
  jobIds: string[],
): Promise<DeleteJobsResponse> {
  const deleted: string[] = [];
  const refused: DeleteJobsResponse["refused"] = [];
  for (const id of new Set(jobIds)) {
    if (await deleteJob(context, id)) deleted.push(id);
    else refused.push({ id, error: STILL_RUNNING });
  }
  await removeDoomedFiles(context);
  return { deleted, refused };
}

function deleteJob(context: Pick<Context, "db"> & Acting, id: string): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, id);
    if (!job) return true;
    if (!isFinal(job.status)) return false;
    await writeAudit(trx, context.actor, { action: "job.delete", subjects: [id] });
    const deleted = await trx
      .deleteFrom("jobs")
      .where("id", "=", id)
      .returning(["id", "output_folder"])
      .executeTakeFirstOrThrow();
    await doomFiles(trx, deleted);
    return true;
  });
}

/** Remembers with a deletion which files go with it: a crash right after it leaves none behind for good. */
export async function doomFiles(trx: Transaction<Tables>, job: Parameters<typeof foldersOf>[0]): Promise<void> {
  const { outputs, thumbnails } = foldersOf(job);
  await trx
    .insertInto("doomed_files")
    .values([{ prefix: outputs }, { prefix: thumbnails }])
    .onConflict((row) => row.column("prefix").doNothing())
    .execute();
}

/** Removes the files of what was deleted. What storage does not let go of now is tried again with the next deletion. */
export async function removeDoomedFiles(context: Pick<Context, "db" | "storage">): Promise<void> {
  const doomed = await context.db.selectFrom("doomed_files").select("prefix").execute();
  for (const { prefix } of doomed) {
    try {
      await context.storage.removeAll(prefix);
    } catch {
      // The jobs are gone either way; their files are tried again with the next deletion.
      continue;
    }
    await context.db.deleteFrom("doomed_files").where("prefix", "=", prefix).execute();
  }
}
